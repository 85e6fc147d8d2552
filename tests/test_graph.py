"""Graph and engine must come to equal outcomes."""

import asyncio
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

import pytest

from acr import registry
from acr.conversation import Conversation
from acr.decision import Context, Decision, Flawed, Kind
from acr.edits import Drop, Edit, Rewrite
from acr.engine import Engine, Outcome
from acr.testing import FakeModel, FixedController, FixedOperator, talk

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


def same(outcome: Outcome) -> Outcome:
    """The outcome without its times, and with the kind of its failure only."""
    times = {each.name: 0.0 for each in fields(outcome) if isinstance(getattr(outcome, each.name), float)}
    failure = type(outcome.failure)() if outcome.failure else None
    told = replace(outcome, failure=None, **times)  # type: ignore[arg-type]
    return replace(told, decision=replace(told.decision, reason=f"{told.decision.reason} {failure!r}"))


@pytest.mark.parametrize("case", CASES)
async def test_parity(case: str) -> None:
    engine, conversation = CASES[case]
    plain = await engine.run(conversation)
    state = await build(engine).ainvoke({"conversation": conversation})
    graphed = state["outcome"]
    assert type(graphed.failure) is type(plain.failure)
    assert same(graphed) == same(plain)


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


@dataclass(frozen=True)
class Drafting:
    """Asks the model, and finds each draft but "good" flawed."""

    name: str = "fixed"
    kind: Kind = "corrective"
    model_backed: bool = True

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit] | Flawed:
        assert context.complete is not None
        before = context.flawed.problems if context.flawed else ()
        draft = await context.complete([{"role": "user", "content": problem} for problem in before])
        newest = conversation.turns[-1]
        return (
            [Rewrite(newest.id, f"{draft}\n\n{newest.text}")] if draft == "good" else Flawed(draft, ("bad",))
        )


@pytest.mark.parametrize(
    ("drafts", "changed", "calls"), [(["good"], True, 1), (["x", "good"], True, 2), (["x", "y"], False, 2)]
)
async def test_propose_check_repair_once_settle_or_give_up(
    drafts: list[str], changed: bool, calls: int
) -> None:
    plain, graphed = FakeModel(*drafts), FakeModel(*drafts)
    outcome = await Engine(FixedController(), {"fixed": Drafting()}, complete=plain).run(LOST)
    state = await build(Engine(FixedController(), {"fixed": Drafting()}, complete=graphed)).ainvoke(
        {"conversation": LOST}
    )
    for found in (outcome, state["outcome"]):
        assert found.changed is changed and found.failure is None
    assert same(state["outcome"]) == same(outcome)
    assert plain.asked == graphed.asked and len(plain.asked) == calls
    assert [message["content"] for message in plain.asked[-1]] == ["bad"] * (calls - 1)
    if not changed:
        assert outcome.decision.reason == "fixed: the model's draft had 1 problem"


async def test_without_a_model_the_graph_says_so_too() -> None:
    state = await build(Engine(FixedController(), {"fixed": Drafting()})).ainvoke({"conversation": LOST})
    assert state["outcome"].decision.reason == "fixed: no auxiliary model is configured"


@pytest.mark.parametrize("operator", ["recap+reask", "prune+recap", "reask+nothing"])
async def test_parity_of_sequences(operator: str) -> None:
    engine = Engine(registry.controller("never"), registry.operators(), deadline=60)
    plain = await engine.run(LOST, operator=operator)
    state = await build(engine).ainvoke({"conversation": LOST, "operator": operator})
    assert same(state["outcome"]) == same(plain)
    assert plain.changed is ("nothing" not in operator)


async def test_parity_of_questions() -> None:
    engine = Engine(registry.controller("always:reask"), registry.operators(), deadline=60)
    first = talk("How many shells did Leigh find on that day?")
    for conversation, questions in ((first, 1), (first, 0), (LOST, 1)):
        plain = await engine.run(conversation, questions=questions)
        state = await build(engine).ainvoke({"conversation": conversation, "questions": questions})
        assert same(state["outcome"]) == same(plain)
        assert (plain.answer is not None) is (questions > 0)
