"""`acr shard`, also `acr bench shard`."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from acr.errors import BenchmarkError
from acr_benchmarks.cli.base import app, console, told
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.sharding import work
from acr_benchmarks.sharding.verify import Sampling

alone = typer.Typer(add_completion=False)
"""The same command without `bench` in front of it."""


@alone.command("shard")
@app.command("shard")
def shard(
    file: Annotated[
        Path | None,
        typer.Argument(help="Instructions: JSON or JSON lines in the task's schema, without shards."),
    ] = None,
    accept: Annotated[
        Path | None, typer.Option(help="A review file: write the items that are ticked in it.")
    ] = None,
    task: Annotated[str, typer.Option(help="The task that the instructions are of.")] = "math",
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the work, 'sharded' if not given; with --accept the file to write."),
    ] = None,
    base: Annotated[str | None, typer.Option("--base-url", help="Model server, with /v1.")] = None,
    model: Annotated[str, typer.Option(help="Model name; the server's first one if not given.")] = "",
    runs: Annotated[
        int, typer.Option(min=0, help="Answers to each of FULL, CONCAT, SHUFFLE-CONCAT; 0: do not verify.")
    ] = 10,
    limit: Annotated[int | None, typer.Option(min=1, help="Use the first N instructions.")] = None,
    temperature: Annotated[float, typer.Option(min=0, help="In verification.")] = 1.0,
    max_tokens: Annotated[int, typer.Option(min=1, help="Bound of one answer in verification.")] = 1000,
    concurrency: Annotated[int, typer.Option(min=1, help="Instructions at once.")] = 4,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for one call.")] = 900.0,
) -> None:
    """Cut instructions into pieces for the benchmark: with a model, then by your review.

    acr shard FILE --task math --out work     segments, rephrases, verifies; writes work/review.md

    acr shard --accept work/review.md         writes the items that you ticked to work/items.jsonl
    """
    with told():
        if accept is not None:
            target = out or accept.with_name("items.jsonl")
            count, said = work.accept(accept, target)
            for problem in said:
                console.print(f"[yellow]check:[/] {problem}", highlight=False)
            console.print(f"{count} items written to {target}", highlight=False)
            return
        if file is None:
            raise BenchmarkError("give a file of instructions, or --accept with a review file")
        url = base or os.environ.get("ACR_UPSTREAM") or os.environ.get("OPENAI_BASE_URL")
        if not url:
            raise BenchmarkError(
                "no model server: give --base-url URL, or set ACR_UPSTREAM or OPENAI_BASE_URL"
            )
        endpoint = Endpoint(url.rstrip("/"), model, os.environ.get("OPENAI_API_KEY", ""), timeout)
        plan = work.Plan(
            file,
            task,
            out or Path("sharded"),
            endpoint,
            runs,
            limit,
            concurrency,
            Sampling(temperature, max_tokens),
        )
        outcomes = asyncio.run(work.run(plan, show))
        ready = sum(bool(outcome.pieces) for outcome in outcomes)
        console.print(f"{ready} of {len(outcomes)} to review in {plan.out / work.REVIEW}", highlight=False)


def show(outcome: work.Outcome) -> None:
    """One line an instruction."""
    console.print(
        f"{outcome.id}: {len(outcome.pieces)} pieces; {'; '.join(outcome.notes)}",
        highlight=False,
        markup=False,
    )
