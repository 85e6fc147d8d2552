"""A run as Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

from acr_benchmarks.overhead.ratios import Ratio
from acr_benchmarks.overhead.targets import Target, targets

COLUMNS = {
    "rate": ("a second", "{:.0f}"),
    "rate_to_bare": ("of bare's", None),
    "cpu_ms": ("CPU ms", "{:.2f}"),
    "bare_cpu_to_cpu": ("bare's CPU / its", None),
    "first_p50": ("first byte p50 ms", "{:.2f}"),
    "total_p50": ("p50 ms", "{:.2f}"),
    "total_p99": ("p99 ms", "{:.1f}"),
    "added_p50": ("added p50", "{:.2f}"),
    "added_p99": ("added p99", "{:.1f}"),
    "delay_p99": ("event delay p99", "{:.1f}"),
    "stall_p99": ("stall p99", "{:.1f}"),
    "switches": ("switches", "{:.1f}"),
    "failed": ("failed", "{:.0f}"),
}
MARKS = {True: "yes", False: "**no**", None: "–"}


def markdown(run: Mapping[str, Any]) -> str:
    """The whole report."""
    facts = run["machine"]
    head = (
        f"{facts['cpus']} processors, Python {facts['python']}, load average {facts['load']}; "
        f"ACR {facts['version']}; {run['rounds']} rounds of {run['seconds']:g} s."
    )
    parts = ["# Overhead", head, "## Targets", table_of_targets(run)]
    for name, rows in run["figures"].items():
        parts += [f"## {run['titles'][name]}", scenario(rows)]
    return "\n\n".join(parts) + "\n"


def table_of_targets(run: Mapping[str, Any]) -> str:
    found: Sequence[Target] = targets(run["figures"], run["footprint"], run["engine"], run.get("workers"))
    rows = [(one.name, one.wanted, one.measured, MARKS[one.reached]) for one in found]
    return table(("what", "target", "measured", "reached"), rows)


def scenario(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """One line a subject; columns that none has are left out."""
    names = [name for name in COLUMNS if any(row.get(name) for row in rows.values())]
    order = ("direct", "bare", "off", "observe", "auto", "intervening")
    known = sorted(rows, key=lambda name: order.index(name) if name in order else len(order))
    lines = [(f"`{one}`", *(cell(rows[one], name) for name in names)) for one in known]
    return table(("", *(COLUMNS[name][0] for name in names)), lines)


def cell(row: Mapping[str, Any], name: str) -> str:
    value, form = row.get(name), COLUMNS[name][1]
    if value is None:
        return ""
    if form is None:
        ratio = Ratio(*value)
        return f"{ratio.value:.2f} [{ratio.low:.2f}, {ratio.high:.2f}]"
    return form.format(value)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
