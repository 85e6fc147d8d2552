"""LangGraph: the view as a node or as a subgraph.

    graph.add_node("acr", node())
    graph.add_edge("acr", "model")        # where `model` reads state["llm_input_messages"]

`llm_input_messages` is the name by which LangGraph's own `pre_model_hook` tells an agent what to send instead
of `messages`: so `node()` is such a hook, too.
"""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from acr.engine import Engine
from acr.library import arefactor, chosen, refactor

VIEW = "llm_input_messages"


class ViewState(TypedDict, total=False):
    """State of `subgraph`. In: `messages`. Out: the view under `llm_input_messages`."""

    messages: Sequence[AnyMessage]
    llm_input_messages: list[Any]


def node(
    controller: str = "rules",
    *,
    operator: str | None = None,
    engine: Engine | None = None,
    messages: str = "messages",
    view: str = VIEW,
) -> RunnableLambda[Any, dict[str, Any]]:
    """A node that reads the history under `messages` and writes the view under `view`, sync and async.

    The channel of `view` must replace, not append. Raises `ConfigError` for an unknown name.
    """
    engine = chosen(controller, operator, engine)

    def look(state: Any) -> dict[str, Any]:
        return {view: refactor(state[messages], engine=engine, operator=operator).messages}

    async def alook(state: Any) -> dict[str, Any]:
        return {view: (await arefactor(state[messages], engine=engine, operator=operator)).messages}

    return RunnableLambda(look, alook, name="acr")


def subgraph(
    controller: str = "rules",
    *,
    operator: str | None = None,
    engine: Engine | None = None,
    **compile_options: Any,
) -> Any:
    """`node` compiled as a graph over `ViewState`; the options go to `StateGraph.compile`."""
    graph = StateGraph(ViewState)
    graph.add_node("acr", node(controller, operator=operator, engine=engine))
    graph.add_edge(START, "acr")
    graph.add_edge("acr", END)
    return graph.compile(**compile_options)
