"""Whatever the conversation and whichever the operator, nothing is lost (issue: "must show" 5).

The checks here are written apart from `acr.invariants`, so that a hole in the one is seen by the other.
"""

import asyncio

import pytest
from hypothesis import HealthCheck, example, given, settings

from acr import registry
from acr.conversation import INSTRUCTIONS, Conversation
from acr.engine import Engine
from acr.errors import AcrError
from acr.testing import talk
from acr.testing.strategies import conversations

OPERATORS = registry.operators()
INSIDE = ("rectify", "filter")
"""Operators that mark or shorten what the assistant and its tools said, too."""


@pytest.mark.parametrize("name", sorted(OPERATORS))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(before=conversations())
@example(before=talk("a", "b", "Actually not a", "c", "Shorten it.", system="s"))
@example(before=talk(*["How many?", "Answer: 3"] * 20, "So?"))
def test_nothing_is_lost(name: str, before: Conversation) -> None:
    outcome = asyncio.run(Engine(registry.controller("never"), OPERATORS).run(before, operator=name))
    failure: AcrError | None = outcome.failure
    assert failure is None, failure
    after = outcome.conversation
    by_id = {turn.id: turn for turn in before}

    assert [t for t in after if t.role in INSTRUCTIONS] == [t for t in before if t.role in INSTRUCTIONS]
    for turn in after:
        assert turn.id in by_id, "turns of its own"
        if turn.state == "kept":
            assert turn is by_id[turn.id]
        else:
            assert turn.role == "user" or name in INSIDE
            assert turn.wire is by_id[turn.id].wire
    if before.turns:
        assert after.turns[-1].id == before.turns[-1].id
        assert after.turns[-1].text.endswith(before.turns[-1].text)
    kept = {turn.id for turn in after}
    for call in before:
        if call.calls:
            results = [turn.id for turn in before if set(turn.answers) & set(call.calls)]
            assert len({call.id in kept, *(result in kept for result in results)}) == 1
    assert all(turn.id in kept for turn in before if turn.attached and turn.role == "user")
    everything = "\n".join(turn.text for turn in after)
    for turn in before.users:
        for number in filter(str.isdigit, turn.text.split()):
            assert number in everything
