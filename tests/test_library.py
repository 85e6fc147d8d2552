"""`acr.refactor`: the library call, with the messages of three libraries."""

import asyncio
import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, convert_to_messages

import acr
from acr.dialects.chat import Chat
from acr.errors import ConfigError
from acr.forms import RESPONSES
from acr.library import chosen
from acr.testing import FixedController, FixedOperator
from acr.testing.strategies import conversations

LOST = [
    {"role": "system", "content": "You are terse.", "name": "house"},
    {"role": "user", "content": "How much do I earn in a week?"},
    {"role": "assistant", "content": "You earn $400 in a week.\n\nAnswer: 400"},
    {"role": "user", "content": "I work 5 days a week."},
    {"role": "assistant", "content": "With 5 days at $100 that makes $500.\n\nAnswer: 500"},
    {"role": "user", "content": [{"type": "text", "text": "I get $30 an hour and work 7 hours a day."}]},
]


def test_a_lost_conversation_comes_back_refactored_and_the_own_history_stays() -> None:
    history = copy.deepcopy(LOST)
    view = acr.refactor(history)
    assert view.changed and view.decision.operator is not None
    assert history == LOST
    assert view.messages[0] is history[0]
    assert "400" not in str(view.messages) and "5 days" in str(view.messages)
    assert view.messages[-1]["content"][-1] is history[-1]["content"][0]


def test_where_nothing_is_done_every_message_is_the_same_object() -> None:
    history = LOST[:2]
    view = acr.refactor(history)
    assert not view.changed and view.decision.reason
    assert all(seen is own for seen, own in zip(view.messages, history, strict=True))


async def test_langchain_messages_stay_langchain_messages() -> None:
    history = convert_to_messages(LOST)
    view = await acr.arefactor(history)
    assert view.changed
    assert all(isinstance(message, BaseMessage) for message in view.messages)
    assert isinstance(view.messages[0], SystemMessage) and view.messages[0] is history[0]
    plain = acr.refactor(LOST)
    assert [message.type for message in view.messages] == ["system", *["human"] * (len(plain.messages) - 1)]
    assert str(view.messages[-1].content) == str(plain.messages[-1]["content"])


async def test_inside_a_running_loop_the_plain_call_works_too() -> None:
    assert acr.refactor(LOST).messages == (await acr.arefactor(LOST)).messages


def test_signed_thinking_is_seen_in_langchain_messages() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    history = [
        HumanMessage("How much do I earn in a week?"),
        AIMessage([thinking, {"type": "text", "text": "Answer: 400"}]),
        HumanMessage("I work 5 days a week, 7 hours a day, and get $30 an hour."),
    ]
    view = acr.refactor(history, operator="consolidate")
    assert view.messages[1] is history[1]


def test_items_of_the_responses_api() -> None:
    items = [
        {"role": "user", "content": "How much do I earn in a week?"},
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Answer: 400"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "I work 5 days, for $100 a day."}]},
    ]
    view = acr.refactor(items, operator="recap", form=RESPONSES)
    assert view.messages[:3] == items[:3]
    assert view.messages[3]["content"][-1] is items[3]["content"][0]
    assert view.messages[3]["content"][0]["type"] == "input_text"


@pytest.mark.parametrize(
    "history",
    [
        [{"role": "narrator", "content": "Once upon a time"}],
        [{"content": "no role"}],
        ["just text"],
        [{"role": "user", "content": "a"}, HumanMessage("b")],
        [],
    ],
)
def test_what_cannot_be_read_comes_back_as_it_was(history: list) -> None:
    view = acr.refactor(history)
    assert view.messages == history and not view.changed and view.decision.reason


def test_a_failing_part_fails_open_and_tells() -> None:
    fixed = FixedOperator(error=RuntimeError("boom"))
    engine = acr.Engine(FixedController(), {"fixed": fixed})
    view = acr.refactor(LOST, engine=engine)
    assert view.messages == LOST and view.outcome.failure is not None


def test_operators_in_turn_can_be_forced_here_too() -> None:
    view = acr.refactor(LOST, operator="prune+recap")
    assert view.changed and "<recap" in str(view.messages[-1])


@pytest.mark.parametrize("names", [{"controller": "nobody"}, {"operator": "nothing"}])
def test_unknown_names_are_errors_that_name_the_known(names: dict) -> None:
    with pytest.raises(ConfigError, match="known: "):
        acr.refactor(LOST, **names)


@given(conversations(), st.sampled_from(["recap", "snowball", "consolidate", "prune", "reask"]))
def test_the_call_and_the_proxy_make_the_same_view(conversation: acr.Conversation, operator: str) -> None:
    messages = [dict(turn.wire) for turn in conversation]
    body = json.dumps({"messages": messages}).encode()
    request = Chat().parse(body)
    if request.conversation is None:
        return
    messages = json.loads(body)["messages"]
    view = acr.refactor(messages, operator=operator)
    if not view.changed:
        assert view.messages == messages
        return
    outcome = asyncio.run(chosen("rules", operator, None).run(request.conversation, operator=operator))
    assert view.messages == json.loads(Chat().patch(request, outcome.conversation))["messages"]
