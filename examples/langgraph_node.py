"""A LangGraph graph with ACR as a node in front of the model."""

from typing import Annotated, Any, TypedDict

from langchain_core.messages import AnyMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from openai import OpenAI

from acr.integrations.langgraph import node

llm = ChatOpenAI(model=OpenAI().models.list().data[0].id, temperature=0, max_tokens=120)


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    llm_input_messages: list[AnyMessage]


def answer(state: State) -> dict[str, Any]:
    return {"messages": [llm.invoke(state["llm_input_messages"])]}


graph = StateGraph(State)
graph.add_node("acr", node())
graph.add_node("answer", answer)
graph.add_edge(START, "acr")
graph.add_edge("acr", "answer")
graph.add_edge("answer", END)
chat = graph.compile()

state: dict[str, Any] = {"messages": []}
for said in (
    "How much does my phone plan cost in a year?",
    "The plan is 18 euros a month.",
    "In December they charge 6 euros extra.",
):
    state = chat.invoke({"messages": [*state["messages"], {"role": "user", "content": said}]})
    print(f"> {said}\n{state['messages'][-1].content}\n")
print(f"the model saw {len(state['llm_input_messages'])} of {len(state['messages']) - 1} messages")
