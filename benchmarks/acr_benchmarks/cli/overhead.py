"""`acr bench overhead` and `acr bench engine`: what ACR costs."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from acr_benchmarks.cli.base import app, console, names, told
from acr_benchmarks.overhead import engine as parts
from acr_benchmarks.overhead import plots, report
from acr_benchmarks.overhead import run as harness

LENGTHS = ",".join(map(str, parts.TURNS))


@app.command()
def overhead(
    out: Annotated[Path | None, typer.Option(help="Folder for overhead.json, overhead.md and plots.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few rounds and loads: under a minute.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON instead of Markdown.")] = False,
    subject: Annotated[str, typer.Option(help="Only these: direct,bare,off,observe,auto,…")] = "",
    scenario: Annotated[str, typer.Option(help="Only these: stream-64,paced-256,…")] = "",
    rounds: Annotated[int | None, typer.Option(min=1, help="Slices of each subject.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.05, help="Length of a slice.")] = None,
    requests: Annotated[
        int | None, typer.Option(min=0, help="Requests while memory is watched; 0 for none.")
    ] = None,
) -> None:
    """Measure the proxy beside a bare relay and others, all of them taking turns on this machine."""
    base = harness.Plan.quick() if quick else harness.Plan()
    plan = harness.Plan(
        frozenset(names(subject)) or base.subjects,
        frozenset(names(scenario)) or base.scenarios,
        rounds or base.rounds,
        seconds or base.seconds,
        base.requests if requests is None else requests,
        base.turns,
        base.workers and not (names(subject) or names(scenario)),
    )
    with told():
        found = harness.run(plan, lambda line: console.print(f"measured: {line}", highlight=False))
        text = json.dumps(found, indent=1)
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / "overhead.json").write_text(text + "\n", encoding="utf-8")
            (out / "overhead.md").write_text(report.markdown(found), encoding="utf-8")
            plots.write(found, out)
    sys.stdout.write(text + "\n" if as_json else report.markdown(found))


@app.command()
def engine(
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    turns: Annotated[str, typer.Option(help="Lengths of the conversations.")] = LENGTHS,
) -> None:
    """Measure the parts of the engine by the length of the conversation."""
    with told():
        found = parts.measure([int(one) for one in names(turns)])
    sys.stdout.write(json.dumps(found, indent=1) + "\n" if as_json else parts.table(found) + "\n")
