"""What a request may cost, in calls of Python functions: the same figure on every machine, so it cannot flake.

A change that costs more on purpose raises the budget here, where it is seen.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from acr_benchmarks.overhead import counts
from acr_benchmarks.overhead.counts import Counter, calls
from acr_benchmarks.overhead.job import Job

from acr.conversation import Conversation
from acr.proxy.monitor import Monitor
from acr.signals import observe

OFF = (Job(0, headers={"x-acr-mode": "off"}), "bypassed")
AUTO = (Job(0), "none")
INTERVENING = (Job(0, talk="lost"), "intervened")
PYDANTIC_AND_SUCH = 1.1
"""Libraries of another version may make a few calls more."""
BUDGET = {"off": 200, "auto": 620, "intervening": 1690, "event": 3}
"""Calls for one request with 20 turns and an answer of 22 events, and for each event more."""


@cache
def measured(name: str, chunks: int = 21) -> int:
    job, decision = {"off": OFF, "auto": AUTO, "intervening": INTERVENING}[name]
    return calls(job, decision, chunks)


def check(name: str, count: int) -> None:
    assert count <= BUDGET[name] * PYDANTIC_AND_SUCH, f"{name}: {count} calls, budget {BUDGET[name]}"


@pytest.mark.parametrize("name", ["off", "auto", "intervening"])
def test_a_request_stays_within_its_budget(name: str) -> None:
    check(name, measured(name))


def test_an_event_stays_within_its_budget() -> None:
    check("event", (measured("off", 121) - measured("off", 21)) // 100)


def test_the_count_is_the_same_each_time() -> None:
    job, decision = OFF
    assert calls(job, decision) == calls(job, decision)


def test_a_conversation_ten_times_as_long_costs_no_more_calls_than_that() -> None:
    """Deciding grows with the turns at most: a turn that was read before costs a fixed few calls."""
    few = calls(Job(0, turns=20, tokens=600), "none")
    many = calls(Job(0, turns=200, tokens=6000), "none")
    assert many - few < 8 * 180


@pytest.mark.parametrize(
    ("where", "name", "planted"),
    [
        (Monitor, "add", "event"),
        (counts.Bench, "_open", "off"),
    ],
)
def test_a_planted_regression_is_found(
    monkeypatch: pytest.MonkeyPatch, where: type, name: str, planted: str
) -> None:
    """Some work more at each event, and a loop more at each request, break the budget."""
    slow(monkeypatch, where, name, 5 if planted == "event" else 100)
    job, decision = OFF
    few, many = calls(job, decision, 21), calls(job, decision, 121)
    with pytest.raises(AssertionError, match="budget"):
        check(planted, (many - few) // 100 if planted == "event" else few)


def test_a_planted_regression_in_deciding_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All signals worked out where the rules need a few."""

    def all_of_them(conversation: Conversation) -> Any:
        signals = observe(conversation)
        for _ in range(3):
            observe(conversation).numbers()
        return signals

    monkeypatch.setattr("acr.engine.observe", all_of_them)
    job, decision = AUTO
    with pytest.raises(AssertionError, match="budget"):
        check("auto", calls(job, decision))


def test_a_decision_that_is_not_the_expected_one_is_no_measurement() -> None:
    with pytest.raises(AssertionError, match="bypassed"):
        calls(OFF[0], "intervened")


def test_only_calls_of_python_functions_count() -> None:
    def function() -> int:
        return len("abc")

    with Counter() as counter:
        function()
        function()
    assert counter.calls == 3  # and the block's own end


def slow(monkeypatch: pytest.MonkeyPatch, where: type, name: str, times: int) -> None:
    original: Callable[..., Any] = getattr(where, name)

    def idle() -> None:
        pass

    def more(*given: Any) -> Any:
        for _ in range(times):
            idle()
        return original(*given)

    monkeypatch.setattr(where, name, more)
