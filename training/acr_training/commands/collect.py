"""`acr train collect` and `acr train items`."""

import asyncio
import os
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from acr_benchmarks import task as tasks

from acr.cli import output
from acr.cli.upstream import target
from acr.errors import ConfigError
from acr_training import collect as collecting
from acr_training import config
from acr_training.progress import Bar
from acr_training.records import Split
from acr_training.records import split as split_of
from acr_training.units import used


def collect(
    out: Annotated[
        Path | None, typer.Option(help="Run directory; started again, it goes on where it stopped.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--config", help="TOML file of all that follows.")] = None,
    task: Annotated[str | None, typer.Option(help="Benchmark tasks, separated by commas.")] = None,
    data: Annotated[
        list[str] | None, typer.Option(help="TASK=FILE: items to use instead of the task's built-in ones.")
    ] = None,
    traces: Annotated[Path | None, typer.Option(help="Traces of the proxy, with their text.")] = None,
    dialogues: Annotated[Path | None, typer.Option(help="JSON lines of your own dialogues.")] = None,
    items: Annotated[int | None, typer.Option(min=1, help="Items of each source. \\[all]")] = None,
    turns: Annotated[int | None, typer.Option(min=1, help="States of each item. [2]")] = None,
    operators: Annotated[
        str | None, typer.Option(help="Candidates, separated by commas. \\[all that need no model]")
    ] = None,
    controller: Annotated[
        str | None, typer.Option(help="Who is in charge while conversations are held. \\[never]")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Base model's server, with /v1. \\[the embedded model]")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Base model. \\[the server's first]")] = None,
    judge_url: Annotated[
        str | None, typer.Option(help="Judge's server, where no task scores. \\[the base model's]")
    ] = None,
    judge_model: Annotated[str | None, typer.Option(help="Judge. \\[its server's first]")] = None,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature. [0.7]")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Longest answer. [700]")] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(help="Runs of acr bench, or files of item ids, not to learn from."),
    ] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="Answers of each context. [1]")] = None,
    seed: Annotated[int | None, typer.Option(help="Of items, turns, wordings and sampling. [0]")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Calls at once. [4]")] = None,
    engine: Annotated[str | None, typer.Option(help="local, or ray. \\[local]")] = None,
) -> None:
    """Run every operator and none at each state, and score what comes of it."""
    given = {
        "out": out,
        "source": sources(task, data or [], traces, dialogues, items, turns),
        "operators": names(operators),
        "controller": controller,
        "model": {"base_url": base_url, "model": model, "temperature": temperature, "max_tokens": max_tokens},
        "judge": {"base_url": judge_url, "model": judge_model},
        "exclude": exclude or None,
        "runs": runs,
        "seed": seed,
        "concurrency": concurrency,
        "engine": engine,
    }
    plan = with_data(config.load(file, **given), data or [])
    plan.out.mkdir(parents=True, exist_ok=True)
    console = output.err()
    with target(None, upstream=plan.model.base_url, model=None if base_url else model) as found:
        plan = at(plan, found.url, found.key)
        bar = Bar(console)
        with output.resumable(), bar.progress:
            result = asyncio.run(collecting.run(plan, bar))
    console.print(f"{result.states} states and {result.outcomes} outcomes are new, {bar.calls} calls.")
    if result.failed:
        console.print(f"{len(result.failed)} conversations could not be finished; start again to try them.")
        raise typer.Exit(1)
    console.print(f"Now: acr train label {plan.out}")


def items(
    task: Annotated[str, typer.Option(help="Benchmark task.")],
    split: Annotated[str, typer.Option(help="train, dev or test.")] = "test",
    data: Annotated[Path | None, typer.Option(help="Items to use instead of the built-in ones.")] = None,
    exclude: Annotated[
        list[Path] | None, typer.Option(help="Leave out items of these runs, or ids of these files.")
    ] = None,
) -> None:
    """List the item ids of a split, one a line, as `acr bench run --ids` reads them.

    Report on `test`: `train` and `dev` are what a controller was made from.
    """
    if split not in get_args(Split):
        raise ConfigError(f"there is no split {split!r}; known: {', '.join(get_args(Split))}")
    reported = used(tuple(exclude or ()))
    made = tasks.load(task)
    for item in tasks.read(data or made.path(), task):
        if split_of(f"{task}/{item.id}") == split and item.id not in reported:
            print(item.id)


def sources(
    task: str | None,
    data: list[str],
    traces: Path | None,
    dialogues: Path | None,
    items: int | None,
    turns: int | None,
) -> list[dict[str, Any]] | None:
    """The sources that flags name; None if they name none."""
    more = {name: value for name, value in (("items", items), ("turns", turns)) if value is not None}
    found: list[dict[str, Any]] = [{"task": name, **more} for name in names(task) or ()]
    found += [{"traces": traces, **more}] if traces else []
    found += [{"dialogues": dialogues, **more}] if dialogues else []
    return found or None


def with_data(plan: config.Collect, data: list[str]) -> config.Collect:
    """The plan with `TASK=FILE` put into its sources. Raises `ConfigError` for other tasks."""
    files: dict[str, Path] = {}
    for one in data:
        task, _, path = one.partition("=")
        if not path or task not in {source.task for source in plan.source}:
            raise ConfigError(f"--data {one!r} must be TASK=FILE, for a task that is collected")
        files[task] = Path(path)
    sources = tuple(
        source.model_copy(update={"data": files[source.task]}) if source.task in files else source
        for source in plan.source
    )
    return plan.model_copy(update={"source": sources})


def at(plan: config.Collect, url: str, key: str) -> config.Collect:
    """The plan with a model server that runs."""
    model = plan.model.model_copy(update={"base_url": url, "key": key})
    judge = plan.judge.model_copy(update={"key": os.environ.get("OPENAI_API_KEY", key)})
    return plan.model_copy(update={"model": model, "judge": judge})


def names(text: str | None) -> list[str] | None:
    """The parts of a list separated by commas; None if there is no list."""
    return None if text is None else [part for part in map(str.strip, text.split(",")) if part]
