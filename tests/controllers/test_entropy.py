"""ERGO's trigger as a controller."""

import pytest

from acr import registry
from acr.errors import ConfigError
from acr.signals import Signal, Signals
from acr.testing import talk

TALK = talk("u", "a", "u", "b", "u")


def known(rise: float | None) -> Signals:
    named = {"entropy": Signal(0.9, ("3",))}
    if rise is not None:
        named["entropy_rise"] = Signal(rise, ("1", "3"))
    return Signals(named)


@pytest.mark.parametrize(
    ("spec", "rise", "operator"),
    [
        ("entropy", 0.5, "consolidate"),
        ("entropy", 0.49, None),
        ("entropy", -0.3, None),
        ("entropy:0.2", 0.3, "consolidate"),
        ("entropy:0.2:recap", 0.3, "recap"),
        ("entropy:-1", -0.5, "consolidate"),
        ("entropy", None, None),
    ],
)
def test_a_rise_by_the_threshold_or_more_asks_for_the_operator(
    spec: str, rise: float | None, operator: str | None
) -> None:
    assert registry.controller(spec).decide(TALK, known(rise)).operator == operator


def test_without_logprobs_it_says_so() -> None:
    decision = registry.controller("entropy:0").decide(TALK, Signals({}))
    assert (decision.operator, decision.reason) == (None, "no logprobs")


def test_its_name_makes_it_again() -> None:
    made = registry.controller("entropy:0.25")
    assert made.name == "entropy:0.25:consolidate"
    assert registry.controller(made.name) == made


@pytest.mark.parametrize("spec", ["entropy:high", "entropy:nan", "entropy:inf"])
def test_a_threshold_is_a_number(spec: str) -> None:
    with pytest.raises(ConfigError, match="threshold in nats"):
        registry.controller(spec)
