"""Chooses dialogues worth training on, in the manner of MDS (arXiv 2604.07892, Findings of ACL 2026).

Globally, dialogues are binned by the course of what the user asks, and every bin gives its share, so that the
chosen part covers what the whole does. Within a bin the more reliable dialogues come first, by three local
marks of the prefix that the controller sees: answers stay with what the user gave (grounding), user turns
bring something new (progress), and answers keep one form (consistency).

MDS scores with an 8B judge; these marks are counted from the text. The difference is stated, not hidden.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from acr.errors import TrainingError
from acr_training.curve import after
from acr_training.data import Data
from acr_training.fit import Recipe
from acr_training.judge import text
from acr_training.records import State

WORD = re.compile(r"\w+")
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
BIN = 6
"""Dialogues that share a bin, on average."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A dialogue (a group of states) with its bin and its marks, each in [0, 1]."""

    group: str
    bin: int
    grounding: float
    progress: float
    consistency: float

    @property
    def reliability(self) -> float:
        return (self.grounding + self.progress + self.consistency) / 3


def dialogues(states: Sequence[State]) -> dict[str, State]:
    """The longest state of each group: the dialogue as far as it is known."""
    found: dict[str, State] = {}
    for state in states:
        known = found.get(state.group)
        if known is None or len(state.messages) > len(known.messages):
            found[state.group] = state
    return found


def score(states: Sequence[State], seed: int = 0) -> list[Scored]:
    """All dialogues of those states, scored. Raises `TrainingError` if there is none."""
    found = dialogues(states)
    if not found:
        raise TrainingError("there is nothing to select from")
    bins = binned([asked(state) for state in found.values()], seed)
    return [
        Scored(group, bin, grounding(state), progress(state), consistency(state))
        for (group, state), bin in zip(found.items(), bins, strict=True)
    ]


def asked(state: State) -> list[str]:
    """What the user said, turn by turn, and is going to say."""
    said = [text(message) for message in state.messages if message.get("role") == "user"]
    return [*said, *state.rest]


def answered(state: State) -> list[str]:
    return [text(message) for message in state.messages if message.get("role") == "assistant"]


def binned(courses: Sequence[Sequence[str]], seed: int) -> list[int]:
    """A bin for each course of user turns: k-means over where it begins, where it ends, and what it is about.

    Turns are TF-IDF vectors, reduced to 16 dimensions.
    """
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    count = max(1, round(len(courses) / BIN))
    turns = [turn or " " for course in courses for turn in (course or [""])]
    try:
        vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True).fit_transform(
            turns
        )
    except ValueError:  # not one word in any of them
        return [0] * len(courses)
    if count == 1 or min(vectors.shape) < 3:
        return [0] * len(courses)
    dense = TruncatedSVD(min(16, min(vectors.shape) - 1), random_state=seed).fit_transform(vectors)
    rows, start = [], 0
    for course in courses:
        part = dense[start : start + max(1, len(course))]
        start += len(part)
        rows.append(np.concatenate([part[0], part.mean(axis=0), part[-1] - part[0]]))
    points = np.array(rows)
    return [int(bin) for bin in KMeans(count, n_init=4, random_state=seed).fit_predict(points)]


def grounding(state: State) -> float:
    """Share of the figures and longer words of the user that answers take up; 1 where there is no answer."""
    answers = " ".join(answered(state)).casefold()
    said = " ".join(asked(state)[: state.turn - 1]).casefold()
    named = set(FIGURE.findall(said)) | {word for word in WORD.findall(said) if len(word) > 4}
    if not answers or not named:
        return 1.0
    known = set(WORD.findall(answers)) | set(FIGURE.findall(answers))
    return len(named & known) / len(named)


def progress(state: State) -> float:
    """Mean share of the words of a user turn that no earlier one had."""
    seen: set[str] = set()
    shares = []
    for turn in asked(state):
        words = set(WORD.findall(turn.casefold()))
        if words:
            shares.append(len(words - seen) / len(words))
        seen |= words
    return fmean(shares[1:]) if len(shares) > 1 else 1.0


def consistency(state: State) -> float:
    """Share of the answers that have the most frequent form."""
    forms = Counter(form(answer) for answer in answered(state))
    return max(forms.values()) / sum(forms.values()) if forms else 1.0


def form(answer: str) -> str:
    """The form of an answer, coarsely."""
    stripped = answer.strip()
    if "```" in stripped:
        return "code"
    if stripped.startswith("["):
        return "list"
    if stripped.endswith(("?", "？", "؟")):
        return "question"
    return "figures" if FIGURE.search(stripped) else "words"


def choose(scored: Sequence[Scored], share: float) -> list[str]:
    """Groups of the most reliable dialogues of each bin, `share` of it, rounded over the bins so that in all
    it is that share. Raises `TrainingError` for a share outside of (0, 1].
    """
    if not 0.0 < share <= 1.0:
        raise TrainingError("a share is above 0 and at most 1")
    bins: dict[int, list[Scored]] = {}
    for one in sorted(scored, key=lambda one: (-one.reliability, one.group)):
        bins.setdefault(one.bin, []).append(one)
    quota = {bin: int(len(members) * share) for bin, members in bins.items()}
    left = round(len(scored) * share) - sum(quota.values())
    by_rest = sorted(bins, key=lambda bin: (quota[bin] - len(bins[bin]) * share, bin))
    for bin in by_rest[: max(0, left)]:
        quota[bin] += 1
    return sorted(one.group for bin, members in bins.items() for one in members[: quota[bin]])


def compare(
    train: Data,
    held: Data,
    chosen: Sequence[str],
    recipe: Recipe,
    threshold: float,
    repeats: int = 20,
    seed: int = 0,
) -> dict[str, Any]:
    """Regret on `held` after training on the chosen dialogues, and on as many at random, `repeats` times."""
    names = set(chosen)
    part = train.where(lambda state: state.group in names)
    random = np.random.default_rng(seed)
    share = len(names) / len(set(train.groups))
    others = [after(train, held, recipe, threshold, share, random) for _ in range(repeats)]
    mine = after(part, held, recipe, threshold, 1.0, random)
    return {
        "dialogues": len(names),
        "chosen": mine,
        "random": {"mean": fmean(others), "low": min(others), "high": max(others), "draws": repeats},
        "better_than_chosen": sum(other < mine for other in others),
    }


def summary(scored: Sequence[Scored], chosen: Sequence[str]) -> Mapping[str, Any]:
    """Counts and mean marks of the chosen and of all."""
    names = set(chosen)

    def marks(part: Sequence[Scored]) -> dict[str, float]:
        return {name: round(fmean(getattr(one, name) for one in part), 3)
                for name in ("grounding", "progress", "consistency")}  # fmt: skip

    return {
        "dialogues": len(scored),
        "bins": len({one.bin for one in scored}),
        "chosen": len(names),
        "bins_covered": len({one.bin for one in scored if one.group in names}),
        "marks_of_all": marks(scored),
        "marks_of_chosen": marks([one for one in scored if one.group in names]),
    }
