"""What the trained `signals` controller sees of a conversation: numbers, named, of about the size of 1.

Training and serving both read them from here. Only what the weights name is worked out: signals come in
families that cost nothing until one is asked for, and so do the other groups here. Values enter as
log(1 + n): the step from no stale answer to one says more than the step from four to five.
"""

from collections.abc import Callable, Iterable, Mapping
from math import log1p

from acr import ledger
from acr.controllers.rules import Rules
from acr.conversation import Conversation
from acr.signals import Signals
from acr.signals.observe import FAMILIES

VERSION = 2
"""Goes up when a feature changes its meaning: weights of another version are refused."""

CORE = (
    *("user_turns", "tasks", "scattered", "attempts", "premature", "refusals", "redone", "stale", "drafts"),
    *("artefacts", "leans", "referred", "bloat", "informative", "tools"),
    *("opening", "requirement", "correction", "restatement", "reference", "reply", "question", "chat"),
)
"""Signals that say most, for when there are few states to learn from."""
TEXT = (
    *("said", "answered", "newest", "last", "instructed"),
    *("last_asks", "last_code", "last_calls", "last_figures", "newest_asks"),
)
LEDGER = tuple(f"ledger_{name}" for name in ("items", "overruled", "decisions", "open_questions"))
SIGNALS = tuple(name for name in FAMILIES if name not in ("tokens", "window_share"))
"""All signals but absolute sizes, which `TEXT` has."""

RULES = {"consolidate": "rules_consolidate", "prune": "rules_prune", "prune+recap": "rules_prune_recap"}
"""What `rules` would do, each 0 or 1: what is trained on few states does well to begin there."""

NAMES = (*SIGNALS, *TEXT, *LEDGER, *RULES.values())
"""All features, in the order in which training stores them."""

SCALE = 1000.0
"""Characters that count as 1 in lengths, before the logarithm."""


def features(conversation: Conversation, signals: Signals, names: Iterable[str] = NAMES) -> dict[str, float]:
    """The named features. Raises KeyError for a name that is none."""
    found: dict[str, float] = {}
    wanted = list(names)
    for name in wanted:
        if name in FAMILIES:
            found[name] = log1p(max(0.0, signals[name].value))
    if any(name in RULES.values() for name in wanted):
        found |= of_rules(conversation, signals)
    for group, make in GROUPS:
        if any(name in group for name in wanted):
            found |= make(conversation)
    return {name: found[name] for name in wanted}


def of_text(conversation: Conversation) -> dict[str, float]:
    """Lengths, and what the last answer and the newest message look like."""
    said = [turn.text for turn in conversation.users]
    answers = [turn.text for turn in conversation.assistants]
    instructions = sum(len(turn.text) for turn in conversation if turn.role in ("system", "developer"))
    newest, last = said[-1] if said else "", answers[-1] if answers else ""
    return {
        "said": log1p(sum(map(len, said)) / SCALE),
        "answered": log1p(sum(map(len, answers)) / SCALE),
        "newest": log1p(len(newest) / SCALE),
        "last": log1p(len(last) / SCALE),
        "instructed": log1p(instructions / SCALE),
        "last_asks": float(last.rstrip().endswith(("?", "？", "؟"))),
        "last_code": float("```" in last),
        "last_calls": float(last.lstrip().startswith("[") and "(" in last),
        "last_figures": float(any(map(str.isdigit, last))),
        "newest_asks": float(newest.rstrip().endswith(("?", "？", "؟"))),
    }


def of_ledger(conversation: Conversation) -> dict[str, float]:
    found = ledger.read(conversation)
    counts = {
        "items": len(found.items),
        "overruled": sum(bool(item.gone) for item in found.items),
        "decisions": len(found.decisions),
        "open_questions": sum(question.answered_in is None for question in found.questions),
    }
    return {f"ledger_{name}": log1p(count) for name, count in counts.items()}


def of_rules(conversation: Conversation, signals: Signals) -> dict[str, float]:
    decided = _RULES.decide(conversation, signals).operator
    return {name: float(operator == decided) for operator, name in RULES.items()}


_RULES = Rules()

Make = Callable[[Conversation], Mapping[str, float]]
GROUPS: tuple[tuple[frozenset[str], Make], ...] = (
    (frozenset(TEXT), of_text),
    (frozenset(LEDGER), of_ledger),
)
