"""Scores a cited summary against the insights that its documents hold.

After *Summary of a Haystack* (arXiv 2407.01370) as the Lost-in-Conversation protocol uses it: for each
insight, how far one bullet covers it (0, 0.5 or 1) times the F1 of that bullet's citations against the
documents that the insight stands in; the mean over insights. Coverage needs a judge. Without one,
`citation_score` pairs bullets and insights by their words; that is a cruder measure and has a name of its own
in reports.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal

from acr.errors import BenchmarkError
from acr.reading.features import features
from acr_benchmarks.task import Item

WORDS = 300
"""Of a summary that are read, citations not counted, as in the protocol. The rest is cut off."""
SHARED = 1 / 3
"""Of an insight's content words that a bullet must have to be paired with it without a judge."""
CITATION = re.compile(r"\[([\d,;\s]+)\]", re.ASCII)

Coverage = Literal["FULL_COVERAGE", "PARTIAL_COVERAGE", "NO_COVERAGE"]
COVERAGE: Mapping[str, float] = {"FULL_COVERAGE": 1.0, "PARTIAL_COVERAGE": 0.5, "NO_COVERAGE": 0.0}


@dataclass(frozen=True, slots=True)
class Insight:
    """What a good summary says, and the numbers of the documents that say it."""

    id: str
    text: str
    sources: frozenset[int]


@dataclass(frozen=True, slots=True)
class Bullet:
    """One line of a summary, without its citations."""

    text: str
    cited: frozenset[int]


def insights(item: Item) -> list[Insight]:
    """The insights of an item. Raises `BenchmarkError` if it has none, or one without documents."""
    try:
        cited = item.data["insightid2ref_citations"]
        found = [
            Insight(
                str(row["insight_id"]),
                str(row["insight"]),
                frozenset(map(int, cited[str(row["insight_id"])])),
            )
            for row in item.data["insights"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise BenchmarkError(
            f"item {item.id!r}: insights [{{insight_id, insight}}] and insightid2ref_citations: {error!r}"
        ) from error
    if not found:
        raise BenchmarkError(f"item {item.id!r} has no insights")
    return found


def documents(item: Item) -> dict[int, str]:
    """The texts of an item's documents by their numbers. Raises `BenchmarkError`."""
    try:
        return {int(row["document_index"]): str(row["document_text"]) for row in item.data["documents"]}
    except (KeyError, TypeError, ValueError) as error:
        raise BenchmarkError(
            f"item {item.id!r} needs documents [{{document_index, document_text}}] ({error!r})"
        ) from error


def bullets(summary: str) -> list[Bullet]:
    """The lines of a summary that say something, up to `WORDS` words."""
    found: list[Bullet] = []
    left = WORDS
    for line in summary.splitlines():
        words = CITATION.sub(" ", line).strip(" \t-*•").split()
        if words and left > 0:
            found.append(Bullet(" ".join(words[:left]), citations(line)))
            left -= len(words)
    return found


def citations(line: str) -> frozenset[int]:
    """The document numbers in square brackets. Numbers of more than four digits are none."""
    numbers = (number for match in CITATION.findall(line) for number in re.findall(r"\d+", match, re.ASCII))
    return frozenset(int(number) for number in numbers if len(number) <= 4)


def f1(given: Set[int], wanted: Set[int]) -> float:
    """Harmonic mean of precision and recall; 0 where nothing is right."""
    right = len(given & wanted)
    return 2 * right / (len(given) + len(wanted)) if right else 0.0


def joint(found: Sequence[Bullet], wanted: Insight, verdict: Mapping[str, Any]) -> float:
    """The score of one insight from a judge's verdict: `coverage` and `bullet_id`, counted from 1.

    Raises ValueError where the verdict is none.
    """
    coverage = COVERAGE.get(str(verdict.get("coverage")))
    if coverage is None:
        raise ValueError(f"no coverage in {verdict!r}")
    if not coverage:
        return 0.0
    number = verdict.get("bullet_id")
    if isinstance(number, bool) or not isinstance(number, int | str) or not str(number).strip().isdecimal():
        raise ValueError(f"no bullet in {verdict!r}")
    if not 1 <= int(number) <= len(found):
        raise ValueError(f"there is no bullet {number}")
    return coverage * f1(found[int(number) - 1].cited, wanted.sources)


def citation_score(summary: str, wanted: Sequence[Insight]) -> float:
    """Mean over insights of the citation F1 of the bullet that shares most words with the insight.

    Each bullet counts for one insight at most, and only if it has a third of the insight's content words.
    """
    found = bullets(summary)
    pairs = sorted(
        (
            (-overlap(bullet, insight), i, b)
            for i, insight in enumerate(wanted)
            for b, bullet in enumerate(found)
        ),
    )
    bullet_of: dict[int, int] = {}
    for share, i, b in pairs:
        if -share >= SHARED and i not in bullet_of and b not in bullet_of.values():
            bullet_of[i] = b
    return sum(f1(found[b].cited, wanted[i].sources) for i, b in bullet_of.items()) / len(wanted)


def overlap(bullet: Bullet, insight: Insight) -> float:
    """Share of the insight's content words and figures that the bullet has."""
    said, wanted = features(bullet.text), features(insight.text)
    words = wanted.content | wanted.numbers
    return len(words & (said.content | said.numbers)) / max(1, len(words))
