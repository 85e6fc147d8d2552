"""The harness itself, with tiny runs over real sockets."""

import json
from pathlib import Path

import pytest
from acr_benchmarks.cli import app
from acr_benchmarks.overhead import engine, plots, report
from acr_benchmarks.overhead.job import Job
from acr_benchmarks.overhead.measure import warm
from acr_benchmarks.overhead.payload import PLACE, body, conversation
from acr_benchmarks.overhead.ratios import quantile, ratio
from acr_benchmarks.overhead.run import Plan, run
from acr_benchmarks.overhead.running import field, free_port, launch
from acr_benchmarks.overhead.subjects import Command, Subject
from acr_benchmarks.overhead.targets import targets
from acr_benchmarks.overhead.workers import scaling
from typer.testing import CliRunner

from acr.errors import BenchmarkError


@pytest.fixture(scope="module")
def found() -> dict[str, object]:
    plan = Plan(
        frozenset(("direct", "bare", "off", "auto", "intervening")),
        frozenset(("stream-64", "whole-1")),
        rounds=2,
        seconds=0.15,
        requests=30,
        turns=(),
        workers=False,
    )
    return json.loads(json.dumps(run(plan)))  # type: ignore[no-any-return]


def test_a_run_has_all_that_was_asked_for(found: dict) -> None:  # type: ignore[type-arg]
    assert set(found["figures"]) == {"stream-64", "whole-1"}
    for rows in found["figures"].values():
        assert set(rows) == {"direct", "bare", "off", "auto", "intervening"}
        assert all(row["exchanges"] > 0 and row["failed"] == 0 for row in rows.values())
        assert all(row["cpu_ms"] > 0 for name, row in rows.items() if name != "direct")
        assert rows["bare"]["rate_to_bare"][0] == 1
        value, low, high = rows["intervening"]["rate_to_bare"]
        assert 0 < low <= value <= high < 1.5
    assert found["memory"]["acr"] > found["memory"]["bare"] > 10
    assert found["footprint"]["ready_s"] > 0 and found["footprint"]["requests"] == 30


def test_a_run_as_markdown_and_as_plots(found: dict, tmp_path: Path) -> None:  # type: ignore[type-arg]
    text = report.markdown(found)
    assert "## streams, 64 at once" in text and "| `intervening` |" in text
    lines = targets(found["figures"], found["footprint"], found["engine"])
    assert [one.wanted for one in lines][:3] == ["≥ 85%", "≥ 75%", "≥ 60%"]
    assert all(one.name in text and one.measured in text for one in lines)
    assert all(path.stat().st_size > 5000 for path in plots.write(found, tmp_path))


def test_two_workers_beside_one() -> None:
    measured = json.loads(json.dumps(scaling(1, 0.2)))
    assert measured["one"] > 0 and measured["two"] > 0
    for cpus, reached in ((2, None), (8, True)):
        scaled = {**measured, "cpus": cpus, "ratio": [1.8, 1.7, 1.9]}
        (line,) = targets({}, {}, {}, scaled)
        assert line.reached is reached and "1.80 times" in line.measured


def test_paced_streams_tell_delays_and_stalls() -> None:
    with field(frozenset(("direct", "bare"))) as taking_part:
        for name in ("", "bare"):
            job = Job(taking_part.running[name].port, 2, 5.0, 2, chunks=10, gap=5_000)
            result = taking_part.run(job)
            assert len(result.total) == 2 and result.failed == 0
            assert len(result.delays) == 20 and min(result.delays) >= 0
            assert min(result.total) >= 50
            assert result.delays and max(result.stalls) < 1000


def test_an_open_loop_counts_from_when_a_request_was_due() -> None:
    with field(frozenset(("direct",))) as taking_part:
        port = taking_part.running[""].port
        slow = taking_part.run(Job(port, 1, 0.5, rate=40, chunks=10, gap=5_000))
        assert max(slow.total) > 200  # one connection, 50 ms each: the last ones waited for the others
        fast = taking_part.run(Job(port, 8, 0.5, rate=40))
        assert fast.begun == len(fast.total) > 5


def test_what_does_something_else_is_not_measured() -> None:
    with field(frozenset(("direct", "off"))) as taking_part:
        other = Subject("odd", "acr", decision="intervened")
        with pytest.raises(BenchmarkError, match="odd: 0 failed"):
            warm(taking_part, other)
        with pytest.raises(BenchmarkError, match="load generator died"):
            taking_part.run(Job(free_port()))


def test_what_does_not_start_is_said() -> None:
    from contextlib import ExitStack

    with ExitStack() as stack, pytest.raises(BenchmarkError, match="did not start: false"):
        launch(stack, Command(("false", "PORT"), "/"), {"PATH": "/usr/bin:/bin"})


def test_a_body_has_one_place_for_its_number_and_about_its_size() -> None:
    for tokens in (1_000, 10_000):
        before, after = body(Job(0, tokens=tokens), 3)
        read = json.loads(before + PLACE.encode() + after)
        assert len(read["messages"]) == 20 and read["messages"][-1]["role"] == "user"
        assert 4 * tokens < len(before + after) < 9 * tokens
    assert conversation("plain", 20, 1000, 1) != conversation("plain", 20, 1000, 2)


def test_ratios_are_paired_and_have_intervals() -> None:
    over, under = [1.0, 2.0, 4.0], [2.0, 4.0, 8.0]
    assert ratio(over, under) == (0.5, 0.5, 0.5)
    value, low, high = ratio([1.0, 3.0, 2.0, 2.0], [4.0, 4.0, 4.0, 4.0])
    assert low < value == 0.5 < high
    with pytest.raises(ValueError, match="ratio"):
        ratio([1.0], [])
    assert quantile([3, 1, 2], 0.5) == 2 and quantile([], 0.5) == 0


def test_an_exponent_is_the_slope_of_the_logarithms() -> None:
    assert engine.exponent({"100": 1.0, "1000": 10.0, "10000": 100.0}) == pytest.approx(1)
    assert engine.exponent({"10": 5.0, "100": 1.0, "1000": 100.0}) == pytest.approx(2)
    assert engine.exponent({"10": 5.0}) == 0


def test_engine_as_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUDGET", 0.0)
    result = CliRunner().invoke(app, ["engine", "--turns", "10,20", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert {"parse", "observe, ledger, decide", "operator consolidate", "patch"} <= set(found)
    assert all(set(row["new_turn_ms"]) == {"10", "20"} for row in found.values())
    assert "| patch |" in engine.table(found)
