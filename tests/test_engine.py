import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from acr.conversation import Conversation
from acr.decision import Context, Decision, Kind
from acr.edits import Drop, Edit, Rewrite
from acr.engine import Engine, describe
from acr.errors import ConfigError, ControllerError, EditError, InvariantError, OperatorError
from acr.testing import FixedController, FixedOperator, talk

DIALOGUE = talk("Say a.", "long answer " * 20, "Say b.")
JOIN = (Drop("0"), Drop("1"), Rewrite("2", "Say a.\nSay b."))


async def test_applies_what_the_operator_proposes() -> None:
    outcome = await Engine(FixedController(), {"fixed": FixedOperator(JOIN)}).run(DIALOGUE)
    assert outcome.changed
    assert [turn.text for turn in outcome.conversation] == ["Say a.\nSay b."]
    assert outcome.edits == JOIN
    assert outcome.tokens is not None and outcome.tokens[1] < outcome.tokens[0]
    assert outcome.failure is None


@pytest.mark.parametrize(
    ("controller", "operator", "error"),
    [
        (FixedController(error=ValueError("x")), FixedOperator(), ControllerError),
        (FixedController(decision="no decision"), FixedOperator(), ControllerError),  # type: ignore[arg-type]
        (FixedController(Decision("unknown", "")), FixedOperator(), ConfigError),
        (FixedController(), FixedOperator(error=RuntimeError("x")), OperatorError),
        (FixedController(), FixedOperator([Drop("99")]), EditError),
        (FixedController(), FixedOperator([Drop("2")]), InvariantError),
        (FixedController(), FixedOperator(["no edit"]), EditError),  # type: ignore[list-item]
    ],
)
async def test_every_failure_carries_the_original(
    controller: FixedController, operator: FixedOperator, error: type[Exception]
) -> None:
    outcome = await Engine(controller, {"fixed": operator}).run(DIALOGUE)
    assert outcome.conversation is DIALOGUE
    assert not outcome.changed
    assert isinstance(outcome.failure, error)
    assert outcome.decision.operator is None
    assert outcome.decision.reason == f"failed open: {error.__name__}"


@dataclass(frozen=True)
class Slow:
    name: str = "fixed"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        await asyncio.sleep(30)
        return JOIN


async def test_the_deadline_holds() -> None:
    outcome = await Engine(FixedController(), {"fixed": Slow()}, deadline=0.02).run(DIALOGUE)
    assert isinstance(outcome.failure, OperatorError)
    assert "in time" in str(outcome.failure)
    assert outcome.conversation is DIALOGUE
    assert outcome.seconds < 5


async def test_a_compressive_operator_must_compress() -> None:
    grow = FixedOperator([Rewrite("2", "x " * 200 + "Say b.")], kind="compressive")
    outcome = await Engine(FixedController(), {"fixed": grow}).run(DIALOGUE)
    assert not outcome.changed
    assert outcome.decision.reason == "fixed: it would not get shorter"


async def test_a_forced_operator_passes_by_the_controller_but_not_by_the_gate() -> None:
    engine = Engine(FixedController(Decision(None, "never")), {"fixed": FixedOperator(JOIN)})
    assert (await engine.run(DIALOGUE)).changed is False
    assert (await engine.run(DIALOGUE, operator="fixed")).changed is True
    assert (await engine.run(talk("only one"), operator="fixed")).decision.reason == "single turn"


async def test_no_edits_is_no_change() -> None:
    outcome = await Engine(FixedController(), {"fixed": FixedOperator()}).run(DIALOGUE)
    assert not outcome.changed
    assert outcome.decision.reason == "fixed: nothing to change"


def test_describe_keeps_text_out_unless_asked() -> None:
    assert describe(JOIN, text=False) == [
        {"edit": "drop", "turn": "0"},
        {"edit": "drop", "turn": "1"},
        {"edit": "rewrite", "turn": "2"},
    ]
    assert describe(JOIN, text=True)[2]["text"] == "Say a.\nSay b."


class Waiting:
    """A controller that has to wait for its decision."""

    name = "slow"

    def __init__(self, decision: object = None, error: Exception | None = None) -> None:
        self.decision, self.error = (
            decision or Decision("fixed", "thought about it", controller="slow"),
            error,
        )

    def decide(self, conversation: Conversation, signals: object) -> Decision:
        raise AssertionError("the engine must not block on it")

    async def consult(self, conversation: Conversation, signals: object) -> object:
        await asyncio.sleep(0.01)
        if self.error:
            raise self.error
        return self.decision


async def test_a_controller_that_waits_keeps_nothing_else_waiting() -> None:
    engine = Engine(Waiting(), {"fixed": FixedOperator(JOIN)})
    outcomes = await asyncio.wait_for(asyncio.gather(*(engine.run(DIALOGUE) for _ in range(50))), 5)
    assert all(outcome.changed and outcome.decision.reason == "thought about it" for outcome in outcomes)


@pytest.mark.parametrize("controller", [Waiting("no decision"), Waiting(error=ValueError("x"))])
async def test_what_fails_in_such_a_controller_carries_the_original(controller: Waiting) -> None:
    outcome = await Engine(controller, {"fixed": FixedOperator(JOIN)}).run(DIALOGUE)
    assert outcome.conversation is DIALOGUE and isinstance(outcome.failure, ControllerError)


async def test_a_forced_operator_asks_no_controller() -> None:
    outcome = await Engine(Waiting(error=ValueError("x")), {"fixed": FixedOperator(JOIN)}).run(
        DIALOGUE, operator="fixed"
    )
    assert outcome.changed and outcome.decision.controller == "request"
