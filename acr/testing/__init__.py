"""For authors of operators and controllers: dialogues to write down quickly, and stand-ins.

`acr.testing.strategies` holds hypothesis strategies for conversations of every strange kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from acr.conversation import Conversation, Role, Turn
from acr.decision import Context, Decision, Kind
from acr.edits import Edit
from acr.signals import Signals

__all__ = ["FixedController", "FixedOperator", "talk"]


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
