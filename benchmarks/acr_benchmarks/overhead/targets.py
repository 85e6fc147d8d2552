"""The table of what shall be reached, from the figures of one run."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from acr_benchmarks.overhead.ratios import Ratio
from acr_benchmarks.overhead.workers import ENOUGH


class Target(NamedTuple):
    """One line. `reached` is None where it was not measured, or cannot be told from this run."""

    name: str
    wanted: str
    measured: str
    reached: bool | None


Figures = Mapping[str, Mapping[str, Mapping[str, Any]]]


def targets(
    figures: Figures,
    footprint: Mapping[str, float],
    engine: Mapping[str, Any],
    workers: Mapping[str, Any] | None = None,
) -> list[Target]:
    """All lines that the run has figures for."""
    return [
        *_rates(figures),
        *_latency(figures),
        *_engine(engine),
        *_paced(figures),
        *_footprint(footprint),
        *_workers(workers or {}),
    ]


def _rates(figures: Figures) -> Iterator[Target]:
    for subject, title, least in (
        ("off", "passed through", 0.85),
        ("auto", "`auto`, not intervening, 20 turns", 0.75),
        ("intervening", "`auto`, intervening", 0.60),
    ):
        row = figures.get("stream-64", {}).get(subject)
        if row and "rate_to_bare" in row:
            rate = Ratio(*row["rate_to_bare"])
            shown = f"{rate.value:.0%} [{rate.low:.0%}, {rate.high:.0%}]"
            if "bare_cpu_to_cpu" in row:
                shown += f"; by processor time {Ratio(*row['bare_cpu_to_cpu']).value:.0%}"
            yield Target(f"{title}: streams/s of bare's", f"≥ {least:.0%}", shown, rate.value >= least)
    lite, off = (figures.get("stream-64", {}).get(name) for name in ("litellm", "off"))
    if lite and off:
        times = off["rate"] / lite["rate"]
        yield Target("streams/s, of LiteLLM's", "≥ 40 times", f"{times:.0f} times", times >= 40)


def _latency(figures: Figures) -> Iterator[Target]:
    rows = figures.get("stream-1", {})
    for name, most in (("added_p50", 1.25), ("added_p99", 1.5)):
        if "off" in rows and "bare" in rows and name in rows["off"]:
            ours, bare = rows["off"][name], rows["bare"][name]
            shown = f"{ours:.2f} ms against {bare:.2f} ms: {ours / bare:.2f} times"
            label = name.replace("_", " ")
            yield Target(f"passed through, 1 stream: {label}", f"≤ {most} times", shown, ours <= most * bare)


def _engine(engine: Mapping[str, Any]) -> Iterator[Target]:
    decide = engine.get("observe, ledger, decide")
    if not decide:
        return
    new = decide["new_turn_ms"]
    for turns, most in (("20", 0.15), ("2000", 15.0)):
        if turns in new:
            shown = f"{new[turns]:.2f} ms"
            yield Target(
                f"observe, ledger, decide: {turns} turns, the newest new",
                f"≤ {most} ms",
                shown,
                new[turns] <= most,
            )
    if "20" in decide.get("cold_ms", {}):
        shown = f"{decide['cold_ms']['20']:.1f} ms"
        yield Target("observe, ledger, decide: 20 turns never seen", "none set", shown, None)
    if "exponent" in decide:
        exponent = decide["exponent"]
        yield Target("the same: growth exponent", "≤ 1.1", f"{exponent:.2f}", exponent <= 1.1)


def _paced(figures: Figures) -> Iterator[Target]:
    rows = figures.get("paced-256") or figures.get("paced-32") or {}
    streams = "256" if "paced-256" in figures else "32"
    if "auto" in rows and "direct" in rows:
        jitter = rows["auto"]["delay_p99"] - rows["direct"]["delay_p99"]
        bare = rows["bare"]["delay_p99"] - rows["direct"]["delay_p99"] if "bare" in rows else 0.0
        shown = f"{jitter:.1f} ms (bare {bare:.1f} ms)"
        yield Target(f"{streams} paced streams: added jitter p99", "≤ 3 ms", shown, jitter <= 3)


def _footprint(footprint: Mapping[str, float]) -> Iterator[Target]:
    if not footprint:
        return
    rest, ready, imported = footprint["rest_mb"], footprint["ready_s"], footprint["import_ms"]
    yield Target("memory at rest", "≤ 90 MB", f"{rest:.0f} MB", rest <= 90)
    grown, count = footprint["grown_mb"] - footprint["warm_mb"], footprint["requests"]
    enough = grown <= 5 if count >= 50_000 else None
    yield Target("memory growth", "≤ 5 MB in 50,000 requests", f"{grown:.1f} MB in {count:,}", enough)
    yield Target("`import acr`", "≤ 120 ms", f"{imported:.0f} ms", imported <= 120)
    yield Target("`acr serve` ready", "≤ 1.0 s", f"{ready:.2f} s", ready <= 1.0)


def _workers(workers: Mapping[str, Any]) -> Iterator[Target]:
    """Where no processor is left for the second worker, the figure is shown and says nothing of ACR."""
    if not workers:
        return
    found, cpus = Ratio(*workers["ratio"]), workers["cpus"]
    shown = f"{found.value:.2f} times [{found.low:.2f}, {found.high:.2f}] on {cpus} processors"
    reached = found.value >= 1.7 if cpus >= ENOUGH else None
    yield Target("two workers: streams/s, of one's", "≥ 1.7 times", shown, reached)
