"""The middleware in a real agent: what the model sees, and what the state keeps."""

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatResult

import acr
from acr.errors import ConfigError
from acr.integrations.langchain import AcrMiddleware
from acr.testing import FixedController, FixedOperator

LOST: list[BaseMessage] = [
    HumanMessage("How much do I earn in a week?"),
    AIMessage("You earn $400 in a week.\n\nAnswer: 400"),
    HumanMessage("I get $30 an hour and work 7 hours a day, 5 days a week."),
]


class Watched(GenericFakeChatModel):
    """Says the same thing always, and remembers what it was asked."""

    seen: list[list[BaseMessage]]

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.seen.append(messages)
        return super()._generate(messages, *args, **kwargs)


@pytest.fixture
def model() -> Watched:
    return Watched(messages=iter([AIMessage("Answer: 1050")]), seen=[])


@pytest.mark.parametrize("way", ["sync", "async"])
async def test_the_model_sees_the_view_and_the_state_keeps_the_history(model: Watched, way: str) -> None:
    agent = create_agent(model, [], system_prompt="Be terse.", middleware=[AcrMiddleware()])
    state = {"messages": list(LOST)}
    result = agent.invoke(state) if way == "sync" else await agent.ainvoke(state)
    (seen,) = model.seen
    assert seen[0].content == "Be terse."
    assert "400" not in str(seen) and "30 an hour" in str(seen)
    assert [message.content for message in result["messages"]] == [
        *(message.content for message in LOST),
        "Answer: 1050",
    ]


async def test_what_is_not_lost_reaches_the_model_as_it_is(model: Watched) -> None:
    agent = create_agent(model, [], middleware=[AcrMiddleware()])
    await agent.ainvoke({"messages": LOST[:1]})
    assert [message.content for message in model.seen[0]] == [LOST[0].content]


async def test_a_fault_of_acr_does_not_reach_the_agent(model: Watched) -> None:
    broken = acr.Engine(FixedController(), {"fixed": FixedOperator(error=RuntimeError("boom"))})
    agent = create_agent(model, [], middleware=[AcrMiddleware(engine=broken)])
    await agent.ainvoke({"messages": LOST})
    assert [message.content for message in model.seen[0]] == [message.content for message in LOST]


async def test_only_the_answer_appears_in_the_stream(model: Watched) -> None:
    agent = create_agent(model, [], middleware=[AcrMiddleware()])
    pieces = [piece async for piece, _ in agent.astream({"messages": LOST}, stream_mode="messages")]
    assert "".join(str(piece.content) for piece in pieces) == "Answer: 1050"


def test_a_wrong_name_is_told_at_once() -> None:
    with pytest.raises(ConfigError, match="known: "):
        AcrMiddleware("nobody")
