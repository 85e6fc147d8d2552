"""Graph and engine must come to equal outcomes."""

import asyncio
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from acr import registry
from acr.conversation import Conversation
from acr.decision import Context, Decision, Kind
from acr.edits import Drop, Edit, Rewrite
from acr.engine import Engine
from acr.testing import FixedController, FixedOperator, talk

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # langgraph's own deprecations are not ours to fail on
    from acr.graph import build

LOST = talk(
    "How many shells did Leigh find?",
    "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10.",
    "Mimi found 24.",
    "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8.",
    "Kyle found twice as many as Mimi.",
)
CASES = {
    "intervenes": (Engine(registry.controller("rules"), registry.operators()), LOST),
    "leaves alone": (Engine(registry.controller("rules"), registry.operators()), talk("a", "b", "Why?")),
    "gate": (Engine(registry.controller("rules"), registry.operators()), talk("a")),
    "controller fails": (Engine(FixedController(error=ValueError()), {}), LOST),
    "operator fails": (Engine(FixedController(), {"fixed": FixedOperator(error=ValueError())}), LOST),
    "bad edit": (Engine(FixedController(), {"fixed": FixedOperator([Drop("4")])}), LOST),
    "no edit": (Engine(FixedController(), {"fixed": FixedOperator()}), LOST),
    "unknown operator": (Engine(FixedController(Decision("x", "")), {}), LOST),
}


@pytest.mark.parametrize("case", CASES)
async def test_parity(case: str) -> None:
    engine, conversation = CASES[case]
    plain = await engine.run(conversation)
    state = await build(engine).ainvoke({"conversation": conversation})
    graphed = state["outcome"]
    assert type(graphed.failure) is type(plain.failure)
    assert replace(graphed, seconds=0, failure=None) == replace(plain, seconds=0, failure=None)


@dataclass
class Learner:
    """Proposes a fault first, then something sound: as a model may when it is asked again."""

    name: str = "fixed"
    kind: Kind = "corrective"
    model_backed: bool = True
    tries: list[int] = field(default_factory=list)

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        self.tries.append(1)
        newest = conversation.turns[-1]
        return [Drop(newest.id)] if len(self.tries) == 1 else [Rewrite(newest.id, "x\n\n" + newest.text)]


@dataclass(frozen=True)
class Stubborn:
    """Proposes the same fault again."""

    name: str = "fixed"
    kind: Kind = "corrective"
    model_backed: bool = True

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        return [Drop(conversation.turns[-1].id)]


async def test_a_model_backed_operator_may_repair_once() -> None:
    async def complete(messages: object) -> str:
        return ""

    learner = Learner()
    engine = Engine(FixedController(), {"fixed": learner}, complete=complete)
    state = await build(engine).ainvoke({"conversation": LOST})
    assert state["outcome"].changed
    assert len(learner.tries) == 2

    stubborn = Stubborn()
    engine = Engine(FixedController(), {"fixed": stubborn}, complete=complete)
    state = await build(engine).ainvoke({"conversation": LOST})
    assert state["outcome"].failure is not None
    assert state["outcome"].conversation is LOST


def test_the_graph_can_be_called_many_at_once() -> None:
    graph = build(CASES["intervenes"][0])

    async def run() -> list[bool]:
        states = await asyncio.gather(*(graph.ainvoke({"conversation": LOST}) for _ in range(20)))
        return [state["outcome"].changed for state in states]

    assert all(asyncio.run(run()))
