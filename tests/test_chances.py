from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.chances import NONE, among, lost
from acr.decision import Decision

names = st.sampled_from(["recap", "prune", "consolidate", "prune+recap", NONE])
shares = st.floats(-1, 2)


@dataclass(frozen=True)
class Told(Decision):  # type: ignore[misc]
    """A decision of a controller that gives its probabilities."""

    probabilities: dict[str, float] = field(default_factory=dict)


@given(st.none() | names, shares, st.lists(names, min_size=1), st.dictionaries(names, shares))
def test_chances_are_chances(
    operator: str | None, sure: float, choices: list[str], given: dict[str, float]
) -> None:
    for decision in (Decision(operator, "", sure), Told(operator, "", sure, probabilities=given)):
        assert 0 <= lost(decision) <= 1
        found = among(decision, choices)
        assert found.keys() == set(choices) and sum(found.values()) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in found.values())


def test_what_a_confidence_says() -> None:
    assert lost(Decision("recap", "", 0.7)) == 0.7 and lost(Decision(None, "", 0.7)) == pytest.approx(0.3)
    assert among(Decision("recap", "", 0.7), [NONE, "recap"]) == pytest.approx({NONE: 0.3, "recap": 0.7})
    assert among(Decision(None, "", 0.6), [NONE, "recap", "prune"]) == pytest.approx(
        {NONE: 0.6, "recap": 0.2, "prune": 0.2}
    )


def test_given_probabilities_win_and_are_scaled_to_what_is_offered() -> None:
    told = Told("recap", "", 1.0, probabilities={NONE: 0.2, "recap": 0.5, "prune": 0.3})
    assert lost(told) == pytest.approx(0.8)
    assert among(told, [NONE, "prune"]) == pytest.approx({NONE: 0.4, "prune": 0.6})
    assert among(told, ["filter", "rectify"]) == {"filter": 0.5, "rectify": 0.5}
