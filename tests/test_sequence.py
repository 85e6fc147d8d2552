"""Operators one after the other: what a name such as `prune+recap` stands for."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from acr import registry
from acr.conversation import Conversation
from acr.decision import Answer, Context, Kind
from acr.dialects.chat import Chat
from acr.edits import Drop, Edit, Insert, Rewrite, apply, between
from acr.engine import Engine
from acr.errors import ConfigError, InvariantError, OperatorError
from acr.proxy.controls import ControlError, read
from acr.proxy.models import named
from acr.testing import FixedController, talk

DIALOGUE = talk("Say a.", "a. " * 30, "Say b.", "b. " * 30, "Say c.")


@dataclass(frozen=True)
class Step:
    """Proposes what it is told to, given what it sees."""

    name: str
    mark: str = ""
    drop: tuple[str, ...] = ()
    error: Exception | None = None
    answer: str = ""
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit] | Answer:
        if self.error is not None:
            raise self.error
        if self.answer:
            return Answer(self.answer)
        newest = conversation.turns[-1]
        edits: list[Edit] = [Drop(id) for id in self.drop]
        return [*edits, Rewrite(newest.id, self.mark + newest.text)] if self.mark or edits else []


def engine(*steps: Step) -> Engine:
    return Engine(FixedController(), {step.name: step for step in steps})


async def test_each_sees_what_the_one_before_made() -> None:
    outcome = await engine(Step("one", "1 "), Step("two", "2 ")).run(DIALOGUE, operator="one+two")
    assert outcome.conversation.turns[-1].text == "2 1 Say c."
    assert outcome.edits == (Rewrite("4", "2 1 Say c."),)
    assert apply(DIALOGUE, outcome.edits) == outcome.conversation
    assert outcome.decision.operator == "one+two"


async def test_what_was_made_is_written_to_the_wire() -> None:
    body = {"messages": [dict(turn.wire) for turn in DIALOGUE]}
    request = Chat().parse(json.dumps(body).encode())
    assert request.conversation is not None
    outcome = await Engine(registry.controller("never"), registry.operators(), 60).run(
        request.conversation, operator="recap+reask"
    )
    sent = json.loads(Chat().patch(request, outcome.conversation))["messages"][-1]["content"]
    assert sent == outcome.conversation.turns[-1].text
    assert sent.index("<reask-") < sent.index("<recap-") and sent.endswith("Say c.")


async def test_a_step_that_has_nothing_does_not_stop_the_others() -> None:
    outcome = await engine(Step("none"), Step("two", "2 ")).run(DIALOGUE, operator="none+two")
    assert outcome.conversation.turns[-1].text == "2 Say c."
    outcome = await engine(Step("none")).run(DIALOGUE, operator="none+none")
    assert not outcome.changed and outcome.decision.reason == "none+none: nothing to change"


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (Step("two", error=RuntimeError("x")), OperatorError),
        (Step("two", drop=("0",)), InvariantError),
        (Step("two", answer="What?"), OperatorError),  # nobody may be asked
    ],
)
async def test_one_failure_leaves_all_as_it_was(second: Step, error: type[Exception]) -> None:
    outcome = await engine(Step("one", "1 "), second).run(DIALOGUE, operator="one+two")
    assert outcome.conversation is DIALOGUE and outcome.edits == ()
    assert isinstance(outcome.failure, error)


async def test_a_question_ends_the_sequence() -> None:
    made = engine(Step("one", "1 "), Step("two", answer="For how many?"))
    outcome = await made.run(DIALOGUE, operator="one+two", questions=1)
    assert outcome.answer == "For how many?" and not outcome.changed


async def test_unknown_names_are_named() -> None:
    outcome = await engine(Step("one")).run(DIALOGUE, operator="one+other")
    assert isinstance(outcome.failure, ConfigError) and "'other'" in str(outcome.failure)


async def test_a_controller_may_name_one() -> None:
    outcome = await Engine(registry.controller("always:one+one"), {"one": Step("one", "1 ")}).run(DIALOGUE)
    assert outcome.conversation.turns[-1].text == "1 1 Say c."


def test_headers_and_names_of_models() -> None:
    known = ["prune", "recap"]
    assert read({"operator": "prune+recap"}, None, "auto", known, "").operator == "prune+recap"
    with pytest.raises(ControlError):
        read({"operator": "prune+other"}, None, "auto", known, "")
    request = Chat().parse(json.dumps({"model": "acr-prune+recap-gpt-5", "messages": []}).encode())
    assert named(request, known) == ("prune+recap", "gpt-5")
    request = Chat().parse(json.dumps({"model": "acr-prune+other-gpt-5", "messages": []}).encode())
    assert named(request, known) == (None, "prune+other-gpt-5")


def test_edits_between_two_conversations() -> None:
    once = apply(DIALOGUE, [Insert("4", "user", "x"), Rewrite("2", "y")])
    twice = apply(once, [Insert("4", "user", "z"), Drop("1"), Rewrite("2", "yy")])
    edits = between(DIALOGUE, twice)
    assert edits == [Drop("1"), Rewrite("2", "yy"), Insert("4", "user", "x"), Insert("4", "user", "z")]
    again: list[Any] = [(turn.role, turn.text) for turn in apply(DIALOGUE, edits)]
    assert again == [(turn.role, turn.text) for turn in twice]
