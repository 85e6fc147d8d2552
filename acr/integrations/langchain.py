"""LangChain: a middleware that shows the model of an agent the refactored view.

    agent = create_agent(model, tools, middleware=[AcrMiddleware()])

State keeps the raw history: only the request of one model call is changed. ACR's own work makes no call that
would appear in the agent's stream.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse

from acr.engine import Engine
from acr.integrations.langchain_decisions import ControllerModel
from acr.library import View, arefactor, chosen, refactor

__all__ = ["AcrMiddleware", "ControllerModel"]


class AcrMiddleware(AgentMiddleware):
    """Refactors the messages of each model call where the controller decides so.

    Raises `ConfigError` for an unknown controller or operator. At run time it never raises: where something
    goes wrong, the messages go on as they are.
    """

    def __init__(
        self, controller: str = "rules", *, operator: str | None = None, engine: Engine | None = None
    ) -> None:
        super().__init__()
        self.engine = chosen(controller, operator, engine)
        self.operator = operator

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        view = refactor(_said(request), engine=self.engine, operator=self.operator)
        return handler(_seen(request, view))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        view = await arefactor(_said(request), engine=self.engine, operator=self.operator)
        return await handler(_seen(request, view))


def _said(request: ModelRequest[Any]) -> list[Any]:
    """All messages; LangChain keeps the system prompt apart."""
    system = [] if request.system_message is None else [request.system_message]
    return [*system, *request.messages]


def _seen(request: ModelRequest[Any], view: View) -> ModelRequest[Any]:
    """The request with the view in it; the same request where nothing was changed."""
    if not view.changed:
        return request
    return request.override(messages=view.messages[0 if request.system_message is None else 1 :])
