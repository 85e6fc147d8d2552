"""A LangChain agent whose model sees the refactored view; its state keeps the raw history."""

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openai import OpenAI

from acr.integrations.langchain import AcrMiddleware

model = ChatOpenAI(model=OpenAI().models.list().data[0].id, temperature=0, max_tokens=120)
agent = create_agent(model, tools=[], middleware=[AcrMiddleware()])
state = {"messages": []}
for said in (
    "How much does my phone plan cost in a year?",
    "The plan is 18 euros a month.",
    "In December they charge 6 euros extra.",
):
    state = agent.invoke({"messages": [*state["messages"], {"role": "user", "content": said}]})
    print(f"> {said}\n{state['messages'][-1].content}\n")
print(f"{len(state['messages'])} messages in the state: the history as it was said")
