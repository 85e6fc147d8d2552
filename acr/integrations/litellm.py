"""LiteLLM's proxy: a callback that refactors chat requests before they are routed.

In its `config.yaml`:

    litellm_settings:
      callbacks: acr.integrations.litellm.acr_hook

The controller is named by `ACR_CONTROLLER`; `rules` if it is not set.
"""

import os
from typing import TYPE_CHECKING, Any

from litellm.integrations.custom_logger import CustomLogger

from acr.engine import Engine
from acr.library import arefactor, chosen

if TYPE_CHECKING:
    from litellm.caching.dual_cache import DualCache
    from litellm.proxy._types import UserAPIKeyAuth

CHAT = frozenset({"completion", "acompletion"})
"""What LiteLLM calls requests whose body has OpenAI's chat messages."""


class AcrHook(CustomLogger):
    """Refactors `messages` where the controller decides so; everything else passes."""

    def __init__(
        self, controller: str = "rules", *, operator: str | None = None, engine: Engine | None = None
    ) -> None:
        """Raises `ConfigError` for an unknown controller or operator."""
        super().__init__()
        self.engine = chosen(controller, operator, engine)
        self.operator = operator

    async def async_pre_call_hook(
        self,
        user_api_key_dict: "UserAPIKeyAuth",
        cache: "DualCache",
        data: dict[str, Any],
        call_type: Any,
    ) -> dict[str, Any]:
        messages = data.get("messages")
        if call_type not in CHAT or not isinstance(messages, list) or data.get("n") not in (None, 1):
            return data
        view = await arefactor(messages, engine=self.engine, operator=self.operator)
        return {**data, "messages": view.messages} if view.changed else data


acr_hook = AcrHook(os.environ.get("ACR_CONTROLLER") or "rules")
