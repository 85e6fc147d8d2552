"""Hand-written rules over the signals.

Intervene where a specification comes in pieces and the model's earlier answers have become stale; leave alone
whatever needs the assistant's words.
"""

from dataclasses import dataclass, field

from acr.conversation import Conversation
from acr.decision import Decision
from acr.errors import ConfigError
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

RISK = (0.37, 0.37, 0.37, 0.39)
"""How often a logged dialogue ended wrong, by the number of stale answers at a turn (the last: three and
more): isotonic, on the tuning half of 187 dialogues that nobody helped. The first entry is for turns that
these rules leave alone. So flat because the text hardly tells who gets lost (docs/signals.md)."""

SHARES = (0.782, 0.642, 0.514, 0.403, 0.309, 0.230, 0.166, 0.116, 0.085, 0.063, 0.048, 0.039)
"""Share of the turns after the first, in the same dialogues, at which these rules intervene with at least 1,
2, 3 … stale answers: what turns a rate into a number of answers."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Asks for `operator` once more has been said than the earlier answers knew.

    `argument`: `rules:20%` intervenes on at most that share of turns, where the most answers are stale;
    `rules:recap` asks for another operator; `rules:20%:recap` does both.
    Raises `ConfigError` for a rate that is none.
    """

    argument: str = ""

    name: str = "rules"
    operator: str = field(init=False, default="consolidate")
    fewest: int = field(init=False, default=1)
    """Stale answers from which it intervenes."""

    def __post_init__(self) -> None:
        first, _, second = self.argument.partition(":")
        rate, operator = (first, second) if first.endswith("%") else ("", first)
        if rate:
            object.__setattr__(self, "fewest", fewest(rate))
        if operator:
            object.__setattr__(self, "operator", operator)

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        for signal, reason in LEAVE_ALONE:
            if signals[signal]:
                return self._alone(reason)
        if not signals["premature"]:
            return self._alone("no answer came too early")
        stale, older = int(signals["stale"].value), int(signals["drafts"].value)
        artefacts = int(signals["artefacts"].value)
        pieces = int(signals["scattered"].value) + 1
        if not stale and not older and not artefacts:
            return self._alone("no earlier answer is stale")
        count = max(stale, older, artefacts)
        if count < self.fewest:
            return self._alone(f"{count} stale, and the rate asked for begins at {self.fewest}")
        chance = RISK[min(count, len(RISK) - 1)]
        if not stale or signals["leans"]:
            versions = "the draft has older versions" if older else "there is a draft already"
            reason = f"the request came in {pieces} pieces and {versions}"
            recap = (pieces > 2 or artefacts) and not signals["referred"]
            return Decision("prune+recap" if recap else "prune", reason, chance, self.name)
        answers = "1 earlier answer is" if stale == 1 else f"{stale} earlier answers are"
        reason = f"the request came in {pieces} pieces and {answers} stale"
        return Decision(self.operator, reason, chance, self.name)

    def _alone(self, reason: str) -> Decision:
        return Decision(None, reason, 1 - RISK[0], self.name)


def fewest(rate: str) -> int:
    """Stale answers from which to intervene, for a rate such as `20%`. Raises `ConfigError`."""
    try:
        share = float(rate.removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ConfigError(f"rules needs a share of turns between 0% and 100%, as in rules:20%, not {rate!r}")
    above = [count for count, reached in enumerate(SHARES, 1) if reached <= share]
    return 1 if share >= SHARES[0] else min(above, default=len(SHARES) + 1)
