"""The auxiliary model: any OpenAI-compatible server that operators such as `abstract` may ask.

A call is made once, bounded by the engine's patience, and told to no client. It carries `x-acr-bypass`, so
that a server that is itself behind ACR does not start another round.
"""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from acr.errors import ConfigError
from acr.settings import Settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI


BYPASS = {"x-acr-bypass": "true"}
"""Asks a server that is itself behind ACR to leave a call alone; others ignore it (docs/protocol.md)."""

spent: ContextVar[list[tuple[int, int]] | None] = ContextVar("spent", default=None)
"""Prompt and completion tokens of each call on behalf of the request that is being handled."""


class Auxiliary:
    """Messages in, text out. The client library is imported when the first call is made."""

    def __init__(self, url: str, model: str, key: str, timeout: float) -> None:
        self.url = url
        self.model = model
        self._key = key
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None

    async def __call__(self, messages: Sequence[Mapping[str, str]]) -> str:
        """What the model says. Raises the client library's errors, and `ValueError` for half an answer."""
        client = self._client or self._connect()
        given: Any = list(messages)
        answer = await client.chat.completions.create(model=self.model, messages=given, temperature=0)
        bill = spent.get()
        if bill is not None and answer.usage is not None:
            bill.append((answer.usage.prompt_tokens, answer.usage.completion_tokens))
        choice = answer.choices[0]
        if choice.finish_reason == "length":
            raise ValueError("the auxiliary model was cut off")
        return choice.message.content or ""

    def _connect(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI

        self._client = AsyncOpenAI(
            base_url=self.url,
            api_key=self._key,
            timeout=self._timeout,
            max_retries=0,
            default_headers=BYPASS,
        )
        return self._client

    def prepare(self) -> None:
        """Import what the first call needs: over a second, which nobody should wait for in a request."""
        import acr.graph  # noqa: F401

        self._connect()

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()


def of_settings(settings: Settings) -> Auxiliary | None:
    """The auxiliary model that the settings name, or None. Raises `ConfigError` for half a setting."""
    if settings.auxiliary_model is None:
        if settings.auxiliary is not None:
            raise ConfigError("setting 'auxiliary' names a server: say which model with 'auxiliary_model'")
        return None
    url, key = settings.auxiliary, settings.auxiliary_key
    if url is None:
        url, key = settings.upstream, key or settings.upstream_key
    if url is None:
        raise ConfigError("setting 'auxiliary_model' needs a server: set 'auxiliary' to its base URL")
    return Auxiliary(
        url, settings.auxiliary_model, key.get_secret_value() if key else "none", settings.auxiliary_timeout
    )
