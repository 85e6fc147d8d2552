"""For authors of operators and controllers: dialogues to write down quickly, stand-ins, and one assertion.

`acr.testing.conformance` is a suite that any operator must pass, `acr.testing.cases` its conversations;
`acr.testing.strategies` holds hypothesis strategies for conversations of every strange kind. These three
need pytest or hypothesis, this module does not.
"""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from acr.conversation import Conversation, Role, Turn
from acr.decision import Complete, Context, Decision, Kind, Operator
from acr.edits import Edit
from acr.engine import Engine, Outcome
from acr.signals import Signals

__all__ = ["FakeModel", "FixedController", "FixedOperator", "assert_edits", "run", "talk"]


def talk(*texts: str, system: str | None = None) -> Conversation:
    """A dialogue in which user and assistant take turns, the user first."""
    turns: list[Turn] = []
    if system is not None:
        turns.append(Turn("0", "system", system, {"role": "system", "content": system}))
    for number, text in enumerate(texts):
        role: Role = "assistant" if number % 2 else "user"
        turns.append(Turn(str(len(turns)), role, text, {"role": role, "content": text}))
    return Conversation(tuple(turns))


@dataclass(frozen=True, slots=True)
class FixedOperator:
    """Proposes the given edits, or raises the given error."""

    edits: Sequence[Edit] = ()
    error: Exception | None = None
    name: str = "fixed"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        if self.error is not None:
            raise self.error
        return self.edits


@dataclass(frozen=True, slots=True)
class FixedController:
    """Decides the same every time, or raises the given error."""

    decision: Decision = field(default_factory=lambda: Decision("fixed", "because the test says so"))
    error: Exception | None = None
    name: str = "fixed"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        if self.error is not None:
            raise self.error
        return self.decision


class FakeModel:
    """An auxiliary model that answers in turn what it is given, the last answer again and again.

    An exception is raised instead of answered. `asked` has the messages of every call.
    """

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = answers
        self.asked: list[Sequence[Mapping[str, str]]] = []

    async def __call__(self, messages: Sequence[Mapping[str, str]]) -> str:
        self.asked.append(messages)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


PATIENCE = 60.0
"""Seconds that an operator under test may take: a busy machine is no fault of it."""


def run(
    operator: Operator, conversation: Conversation, *, complete: Complete | None = None, questions: int = 0
) -> Outcome:
    """What the engine makes of the conversation with this operator forced. Works with and without a loop."""
    engine = Engine(
        FixedController(Decision(None, "not asked")),
        {operator.name: operator},
        deadline=PATIENCE,
        complete=complete,
        patience=PATIENCE,
    )
    work = engine.run(conversation, operator=operator.name, questions=questions)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def assert_edits(operator: Operator, conversation: Conversation, expected: Sequence[Edit]) -> None:
    """Assert that the operator proposes exactly these edits, and that the engine accepts them."""
    outcome = run(operator, conversation)
    assert outcome.failure is None, f"{type(outcome.failure).__name__}: {outcome.failure}"
    assert list(outcome.edits) == list(expected), f"{list(outcome.edits)} ({outcome.decision.reason})"
