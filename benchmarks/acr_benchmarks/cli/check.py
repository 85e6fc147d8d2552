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
from acr.decision import Operator
from acr.decision import names as in_turn
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
            f"acr:{name}": (Engine(registry.unhurried(name), operators), None) for name in names(controller)
        }
        never = registry.controller("never")
        runs: dict[str, tuple[Engine, str | None]] = {
            **engines,
            **{name: (Engine(never, each(name)), name) for name in forced},
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


def each(name: str) -> dict[str, Operator]:
    """The operators of a name: of `prune+recap` two."""
    return {part: baselines.operator(part) for part in in_turn(name)}


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
def list_tasks(
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name every item.")] = False,
) -> None:
    """List the tasks with their built-in items and licences."""
    rows = [row(name, verbose) for name in registry.available(registry.TASKS)]
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        return
    table = Table("task", "items", "pieces", "licence")
    for one in rows:
        pieces = "–".join(map(str, dict.fromkeys(one["pieces"] or [])))
        table.add_row(one["task"], str(one["items"]), pieces, one["licence"] or one["error"])
    output = Console()
    output.print(table)
    for one in rows if verbose else ():
        output.print("", *(f"{one['task']}  {id}" for id in one["ids"]), sep="\n", highlight=False)


def row(name: str, verbose: bool) -> dict[str, Any]:
    """A task as plain data; `pieces` is the least and the most that an item has."""
    facts: dict[str, Any] = {"task": name, "items": 0, "pieces": None, "licence": None, "error": None}
    found: list[task.Item] = []
    try:
        made = task.load(name)
        found = task.read(made.path(), name)
        counts = [len(item.shards) for item in found]
        facts |= {"items": len(found), "pieces": [min(counts), max(counts)], "licence": made.licence}
    except AcrError as error:  # one broken package must not hide the others
        facts["error"] = str(error)
    return facts | ({"ids": [item.id for item in found]} if verbose else {})
