"""`acr bench`: run the benchmark and report on it."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from acr import registry
from acr.engine import Engine
from acr.errors import AcrError, BenchmarkError
from acr_benchmarks import baselines, compare, controls, runner, task
from acr_benchmarks import report as reports
from acr_benchmarks.episode import Job
from acr_benchmarks.records import Episode
from acr_benchmarks.soundness import problems

app = typer.Typer(
    no_args_is_help=True,
    help="The sharded benchmark: what a model loses over several turns, and what a policy brings back.",
)
console = Console(stderr=True)
EVERY = 30.0
"""Seconds between two lines of progress where there is no terminal."""


class Bar(runner.Watcher):
    """Progress by calls, with the time left; plain lines where there is no terminal."""

    def __init__(self) -> None:
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("calls"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=console,
            disable=not console.is_terminal,
        )
        self.bar = self.progress.add_task("episodes", total=None)
        self.start = self.told = monotonic()
        self.episodes = self.done = self.calls = self.called = 0

    def begin(self, calls: int, episodes: int, there: int) -> None:
        self.calls, self.episodes = calls, episodes
        self.progress.update(self.bar, total=calls)
        console.print(
            f"{episodes} episodes, at most {calls} calls" + (f"; {there} were done before" if there else "")
        )

    def turn(self) -> None:
        self.called += 1
        self.progress.advance(self.bar)
        self.tell()

    def episode(self, episode: Episode, left: int) -> None:
        self.done += 1
        self.called += left
        self.progress.update(self.bar, advance=left, description=f"episode {self.done} of {self.episodes}")

    def failure(self, job: Job, error: Exception) -> None:
        console.print(f"[red]not held:[/] {job.item.id} in {job.setting.name}: {error}", highlight=False)

    def tell(self) -> None:
        now = monotonic()
        if console.is_terminal or now - self.told < EVERY:
            return
        self.told = now
        left = (now - self.start) / self.called * (self.calls - self.called) if self.called else 0
        console.print(
            f"{self.done} of {self.episodes} episodes, {self.called} of {self.calls} calls, "
            f"about {left / 60:.0f} min left",
            highlight=False,
        )


def names(text: str) -> list[str]:
    """The parts of a list separated by commas, each once."""
    return list(dict.fromkeys(part for part in map(str.strip, text.split(",")) if part))


def base_url(given: str | None) -> str:
    """The model server. Raises `BenchmarkError` saying how to name one."""
    url = given or os.environ.get("ACR_UPSTREAM") or os.environ.get("OPENAI_BASE_URL")
    if not url:
        raise BenchmarkError("no model server: give --base-url URL, or set ACR_UPSTREAM or OPENAI_BASE_URL")
    return url.rstrip("/")


def read_ids(path: Path | None) -> list[str]:
    """Item ids, one a line or as a JSON list."""
    if path is None:
        return []
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        return [str(id) for id in json.loads(text)]
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


@app.command()
def run(
    out: Annotated[Path, typer.Option(help="Run directory; started again, it goes on where it stopped.")],
    tasks: Annotated[str, typer.Option("--task", help="Tasks, separated by commas.")] = "math",
    setting: Annotated[str, typer.Option(help="Settings: full, concat, sharded, acr:rules, …")] = (
        "full,concat,sharded,acr:rules,acr:always:consolidate"
    ),
    limit: Annotated[int | None, typer.Option(min=1, help="Use the first N items.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Conversations per item and setting.")] = 1,
    data: Annotated[
        Path | None, typer.Option(help="Items in LiC's schema instead of the built-in ones.")
    ] = None,
    ids: Annotated[Path | None, typer.Option(help="File of item ids: only these, in that order.")] = None,
    base: Annotated[str | None, typer.Option("--base-url", help="Model server, with /v1.")] = None,
    model: Annotated[str, typer.Option(help="Model name; the server's first one if not given.")] = "",
    temperature: Annotated[float, typer.Option(min=0)] = 0.7,
    max_tokens: Annotated[int, typer.Option(min=1, help="Bound of one response.")] = 700,
    concurrency: Annotated[int, typer.Option(min=1, help="Conversations at once.")] = 8,
    seed: Annotated[int, typer.Option(help="Seeds the samples and the user.")] = 0,
    user: Annotated[
        str, typer.Option(help="scripted: words of the file. paraphrase: its variants.")
    ] = "paraphrase",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for one call.")] = 900.0,
    memo: Annotated[
        Path | None, typer.Option(help="File that keeps answers: identical requests are answered once.")
    ] = None,
) -> None:
    """Hold the conversations and score them, one JSON line an episode."""
    try:
        plan = runner.Plan(
            tasks=names(tasks),
            settings=names(setting),
            out=out,
            base_url=base_url(base),
            data=data,
            ids=read_ids(ids),
            limit=limit,
            runs=runs,
            model=model,
            key=os.environ.get("OPENAI_API_KEY", ""),
            temperature=temperature,
            max_tokens=max_tokens,
            concurrency=concurrency,
            seed=seed,
            user=user,
            timeout=timeout,
            memo=memo,
        )
        bar = Bar()
        with bar.progress:
            result = asyncio.run(runner.run(plan, bar))
    except KeyboardInterrupt:
        console.print("Stopped. What is done is kept; start again to go on.")
        raise typer.Exit(130) from None
    except (AcrError, OSError, ValueError) as error:
        console.print(f"[red]error:[/] {error}", highlight=False)
        raise typer.Exit(1) from error
    console.print(f"{result.finished} episodes finished, {result.skipped} were done before.")
    if result.failed:
        console.print(f"[red]{len(result.failed)} could not be held[/]; start again to try them once more.")
        raise typer.Exit(1)
    console.print(f"Now: acr bench report {out}")


@app.command()
def report(
    directory: Annotated[Path, typer.Argument(help="A run directory, or one under benchmarks/reports.")],
    save: Annotated[
        Path | None, typer.Option(help="Also put report and packed episodes there, to be kept or published.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the report; the directory's if not given.")
    ] = None,
    readme: Annotated[
        Path | None,
        typer.Option(help="Put a short table between <!-- bench NAME --> and <!-- /bench NAME -->."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Write report.md, report.html and report.json for a run, and print it."""
    try:
        title = name or (save or directory).resolve().name
        figures = reports.write(directory, save or directory, title)
        if readme is not None:
            reports.insert(readme, title, reports.readme_table(figures))
    except (AcrError, OSError) as error:
        console.print(f"[red]error:[/] {error}", highlight=False)
        raise typer.Exit(1) from error
    if as_json:
        sys.stdout.write(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(reports.markdown(figures, title))


@app.command("compare")
def compare_runs(
    first: Annotated[Path, typer.Argument(help="A run directory: before.")],
    second: Annotated[Path, typer.Argument(help="Another one: after.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Compare two runs setting by setting, on the items both have."""
    try:
        result = compare.compare(first, second)
    except (AcrError, OSError) as error:
        console.print(f"[red]error:[/] {error}", highlight=False)
        raise typer.Exit(1) from error
    if as_json:
        sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(compare.markdown(result))


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
    try:
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
    except (AcrError, OSError) as error:
        console.print(f"[red]error:[/] {error}", highlight=False)
        raise typer.Exit(1) from error
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
    try:
        for name in names(tasks):
            made = task.load(name)
            items = task.read(data or made.path(), name)
            for item in items:
                for problem in problems(item):
                    found += 1
                    console.print(f"{item.id}: {problem}", highlight=False, markup=False)
            console.print(f"{name}: {len(items)} items checked", highlight=False)
    except (AcrError, OSError) as error:
        console.print(f"[red]error:[/] {error}", highlight=False)
        raise typer.Exit(1) from error
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
