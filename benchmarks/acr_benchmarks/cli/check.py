"""`acr bench controls`, `check` and `tasks`: what needs no model."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from acr import registry
from acr.engine import Engine
from acr.errors import AcrError
from acr_benchmarks import baselines, controls, task
from acr_benchmarks.cli.base import app, console, names, told
from acr_benchmarks.soundness import problems


@app.command("controls")
def check_controls(
    controller: Annotated[str, typer.Option(help="Controllers to check, separated by commas.")] = "rules",
    operator: Annotated[
        str, typer.Option(help="Operators to check as well, each forced on every conversation; or 'all'.")
    ] = "",
    data: Annotated[Path | None, typer.Option(help="Another file of control conversations.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Check, without a model, whether anything the control conversations need is lost. Exit 1 if it is."""
    with told():
        loaded = controls.load(data or controls.PATH)
        operators = baselines.operators()
        forced = sorted(registry.operators()) if operator == "all" else names(operator)
        engines = {
            f"acr:{name}": (Engine(registry.controller(name), operators), None) for name in names(controller)
        }
        never = registry.controller("never")
        runs: dict[str, tuple[Engine, str | None]] = {
            **engines,
            **{name: (Engine(never, {name: baselines.operator(name)}), name) for name in forced},
        }
        found = {
            name: asyncio.run(controls.examine(loaded, engine, one)) for name, (engine, one) in runs.items()
        }
    if as_json:
        sys.stdout.write(json.dumps(controls.summary(found), indent=2, ensure_ascii=False) + "\n")
    else:
        show_controls(found)
    if any(finding.lost for findings in found.values() for finding in findings):
        raise typer.Exit(1)


def show_controls(found: Mapping[str, Sequence[controls.Finding]]) -> None:
    """A table of counts, then every harm."""
    output = Console()
    table = Table("policy", "conversations", "changed", "harmed", "failed open")
    for name, findings in found.items():
        counts = controls.counts(findings)
        table.add_row(name, *(str(counts[key]) for key in ("conversations", "changed", "harmed", "failed")))
    output.print(table)
    for name, findings in found.items():
        for finding in findings:
            for problem in finding.lost:
                output.print(f"{name}  {finding.control.id}  {problem}", highlight=False, markup=False)


@app.command()
def check(
    tasks: Annotated[str, typer.Option("--task", help="Tasks, separated by commas.")] = "math",
    data: Annotated[Path | None, typer.Option(help="Items to check instead of the built-in ones.")] = None,
) -> None:
    """Check sharded items, without a model, for too few pieces or wordings and for changed numbers."""
    found = 0
    with told():
        for name in names(tasks):
            made = task.load(name)
            items = task.items(made, data or made.path(), name)
            for item in items:
                for problem in problems(item):
                    found += 1
                    console.print(f"{item.id}: {problem}", highlight=False, markup=False)
            console.print(f"{name}: {len(items)} items checked", highlight=False)
    if found:
        raise typer.Exit(1)


@app.command("tasks")
def list_tasks(as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """List the tasks with their built-in items and licences."""
    rows: list[dict[str, Any]] = []
    for name in registry.available(registry.TASKS):
        try:
            made = task.load(name)
            items = task.read(made.path(), name)
            rows.append({"task": name, "items": len(items), "licence": made.licence, "error": None})
        except AcrError as error:
            rows.append({"task": name, "items": 0, "licence": None, "error": str(error)})
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    table = Table("task", "items", "licence")
    for row in rows:
        table.add_row(row["task"], str(row["items"]), str(row["licence"] or row["error"]))
    Console().print(table)
