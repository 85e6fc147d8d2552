"""Reference detection on labelled turns, at what it was measured to do (docs/signals.md)."""

from collections import Counter

import pytest
from acr_benchmarks.references import (
    FRESH,
    MORE,
    PATH,
    THIRD,
    Labelled,
    Verdict,
    complete,
    examine,
    load,
    precision,
    recall,
    report,
)

from acr.testing import talk


def test_there_are_enough_turns_of_every_kind_and_language() -> None:
    judged = [one for one in load() if one.half == "reported"] + load(FRESH)
    assert len(judged) >= 200
    assert len({one.language for one in judged}) >= 10
    assert min(Counter(bool(one.needs) for one in judged).values()) >= 100
    names = [{one.id.partition("/")[0] for one in load(path)} for path in (PATH, MORE, FRESH, THIRD)]
    assert len(set().union(*names)) == sum(map(len, names))


@pytest.mark.parametrize(("source", "precise"), [("reported", 0.8), ("fresh", 0.83), ("third", 0.75)])
def test_references_are_found(source: str, precise: float) -> None:
    files = {"fresh": FRESH, "third": THIRD}
    labelled = load(files[source]) if source in files else [one for one in load() if one.half == "reported"]
    verdicts = examine(labelled)
    assert recall(verdicts) >= 0.95
    assert precision(verdicts) >= precise
    assert complete(verdicts) >= 0.94


def test_figures() -> None:
    needs = Labelled("a/1", "en", "pronoun", frozenset({"1"}), talk("x", "y", "z"))
    alone = Labelled("a/2", "en", "requirement", frozenset(), talk("x", "y", "z"))
    hit, miss, false = (
        Verdict(needs, frozenset({"1"})),
        Verdict(needs, frozenset()),
        Verdict(alone, frozenset({"1"})),
    )
    assert recall([hit, miss]) == 0.5
    assert precision([hit, false, false, false]) == 0.25
    assert complete([hit, Verdict(needs, frozenset({"3"}))]) == 0.5
    assert "`requirement` | stands alone | 1 | 1" in report([hit, false], "here")
