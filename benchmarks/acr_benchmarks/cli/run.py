"""`acr bench run`."""

import asyncio
import json
import os
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from acr.cli import output
from acr.errors import BenchmarkError
from acr_benchmarks import hub, runner
from acr_benchmarks.cli.base import app, console, names, told
from acr_benchmarks.episode import Job
from acr_benchmarks.records import Episode

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


def base_url(given: str | None) -> str:
    """The model server. Raises `BenchmarkError` saying how to name one."""
    url = given or os.environ.get("ACR_UPSTREAM") or os.environ.get("OPENAI_BASE_URL")
    if not url:
        raise BenchmarkError("no model server: give --base-url URL, or set ACR_UPSTREAM or OPENAI_BASE_URL")
    return url.rstrip("/")


def source(data: str) -> Path | None:
    """The file of a data option, fetched if it is an address. Raises `BenchmarkError` if it cannot be."""
    if hub.is_address(data):
        return asyncio.run(hub.fetch(data))
    return Path(data) if data else None


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
        str,
        typer.Option(help="Items in LiC's schema instead of the built-in ones: a file, https:// or hf://."),
    ] = "",
    ids: Annotated[Path | None, typer.Option(help="File of item ids: only these, in that order.")] = None,
    base: Annotated[str | None, typer.Option("--base-url", help="Model server, with /v1.")] = None,
    model: Annotated[str, typer.Option(help="Model name; the server's first one if not given.")] = "",
    temperature: Annotated[float, typer.Option(min=0)] = 0.7,
    max_tokens: Annotated[int, typer.Option(min=1, help="Bound of one response.")] = 700,
    concurrency: Annotated[int, typer.Option(min=1, help="Conversations at once.")] = 8,
    seed: Annotated[int, typer.Option(help="Seeds the samples and the user.")] = 0,
    user: Annotated[
        str,
        typer.Option(help="scripted: words of the file. paraphrase: its variants. model: a model's words."),
    ] = "paraphrase",
    user_base: Annotated[
        str, typer.Option("--user-base-url", help="Server of the user's model; --base-url if not given.")
    ] = "",
    user_model: Annotated[str, typer.Option(help="Model that plays the user, for --user model.")] = "",
    classifier: Annotated[
        str, typer.Option(help="Who sorts responses into types. form: no model. model: the user's model.")
    ] = "form",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for one call.")] = 900.0,
    memo: Annotated[
        Path | None, typer.Option(help="File that keeps answers: identical requests are answered once.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="local: this process. ray: a Ray cluster, that of RAY_ADDRESS or a local one.")
    ] = "local",
) -> None:
    """Hold the conversations and score them, one JSON line an episode."""
    with told():
        plan = runner.Plan(
            tasks=names(tasks),
            settings=names(setting),
            out=out,
            base_url=base_url(base),
            data=source(data),
            origin=hub.public(data) if hub.is_address(data) else "",
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
            user_base_url=user_base.rstrip("/"),
            user_model=user_model,
            classifier=classifier,
            timeout=timeout,
            memo=memo,
            engine=engine,
        )
        bar = Bar()
        with output.resumable(), bar.progress:
            result = asyncio.run(runner.run(plan, bar))
    console.print(f"{result.finished} episodes finished, {result.skipped} were done before.")
    if result.failed:
        console.print(f"[red]{len(result.failed)} could not be held[/]; start again to try them once more.")
        raise typer.Exit(1)
    console.print(f"Now: acr bench report {out}")
