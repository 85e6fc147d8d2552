"""Hand-written rules over the signals: intervene where a specification comes in pieces and the model has
already answered too early; leave alone whatever needs the assistant's words.
"""

from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Decision
from acr.signals import Signals


@dataclass(frozen=True, slots=True)
class Rules:
    """Asks for `operator` once an answer has turned out to be premature."""

    operator: str = "consolidate"

    name: str = "rules"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        for signal, reason in LEAVE_ALONE:
            if signals[signal]:
                return Decision(None, reason, controller=self.name)
        premature = signals["premature"].value
        if not premature:
            return Decision(None, "no answer came too early", controller=self.name)
        if not signals["redone"] and not (signals["guessed"] and signals["informative"]):
            return Decision(None, "the answers do not do the same work again", 0.6, self.name)
        pieces = int(signals["scattered"].value) + 1
        reason = f"the request came in {pieces} pieces and {int(premature)} answers came too early"
        return Decision(self.operator, reason, _confidence(premature), self.name)


LEAVE_ALONE = (
    ("opening", "a new task begins"),
    ("reference", "the newest message refers to the assistant's text"),
    ("reply", "the newest message answers the assistant's question"),
    ("chat", "the newest message asks for nothing"),
    ("question", "the newest message asks something new"),
    ("tools", "the task uses tools"),
    ("builds", "the answers build on each other"),
)
"""Signals of the newest turn, in order, at which nothing is done, and the reason that is given."""


def _confidence(premature: float) -> float:
    """Grows with the number of premature answers; not calibrated (see docs/decisions.md)."""
    return min(0.95, 0.6 + 0.15 * premature)
