"""The view as a node of a graph, and as a graph in a graph."""

from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from acr.integrations.langgraph import node, subgraph

LOST: list[AnyMessage] = [
    HumanMessage("How much do I earn in a week?"),
    AIMessage("You earn $400 in a week.\n\nAnswer: 400"),
    HumanMessage("I get $30 an hour and work 7 hours a day, 5 days a week."),
]


class Chat(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    llm_input_messages: list[AnyMessage]


def chat(acr: Any) -> Any:
    """A graph whose model says how much it saw."""

    def model(state: Chat) -> Chat:
        return {"messages": [AIMessage(" | ".join(str(m.content) for m in state["llm_input_messages"]))]}

    graph = StateGraph(Chat)
    graph.add_node("acr", acr)
    graph.add_node("model", model)
    graph.add_edge(START, "acr")
    graph.add_edge("acr", "model")
    graph.add_edge("model", END)
    return graph.compile()


@pytest.mark.parametrize("make", [node, subgraph])
@pytest.mark.parametrize("way", ["sync", "async"])
async def test_the_model_reads_the_view_and_the_history_stays(make: Any, way: str) -> None:
    graph = chat(make())
    state = {"messages": LOST}
    result = graph.invoke(state) if way == "sync" else await graph.ainvoke(state)
    *history, answer = result["messages"]
    assert [message.content for message in history] == [message.content for message in LOST]
    assert "400" not in answer.content and "30 an hour" in answer.content


def test_other_names_of_channels() -> None:
    look = node(operator="recap", messages="history", view="view")
    assert list(look.invoke({"history": LOST})) == ["view"]
