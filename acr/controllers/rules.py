"""Hand-written rules over the signals.

Intervene where a specification comes in pieces and the model's earlier answers have become stale; leave alone
whatever needs the assistant's words.
"""

from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Decision
from acr.signals import Signals

LEAVE_ALONE = (
    ("opening", "a new task begins"),
    ("reference", "the newest message refers to the assistant's text"),
    ("reply", "the newest message answers the assistant's question"),
    ("chat", "the newest message asks for nothing"),
    ("question", "the newest message asks something new"),
    ("tools", "the task uses tools"),
)
"""Signals at which nothing is done, in order, and the reason that is given."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Asks for `operator` once more has been said than the earlier answers knew."""

    operator: str = "consolidate"

    name: str = "rules"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        for signal, reason in LEAVE_ALONE:
            if signals[signal]:
                return Decision(None, reason, controller=self.name)
        if not signals["premature"]:
            return Decision(None, "no answer came too early", controller=self.name)
        stale = int(signals["stale"].value)
        pieces = int(signals["scattered"].value) + 1
        if not stale and signals["drafts"]:
            reason = f"the request came in {pieces} pieces and the draft has older versions"
            return Decision(
                "prune+recap" if pieces > 2 and not signals["referred"] else "prune", reason, 0.6, self.name
            )
        if not stale:
            return Decision(None, "no earlier answer is stale", 0.7, self.name)
        answers = "1 earlier answer is" if stale == 1 else f"{stale} earlier answers are"
        reason = f"the request came in {pieces} pieces and {answers} stale"
        return Decision(self.operator, reason, _confidence(stale), self.name)


def _confidence(stale: int) -> float:
    """Grows with the number of stale answers; not calibrated (see docs/decisions.md)."""
    return min(0.95, 0.6 + 0.15 * stale)
