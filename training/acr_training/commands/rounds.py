"""`acr train evolve` and `acr train quickstart`."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from acr.cli import output
from acr.cli.upstream import target
from acr_training import config, learn, manifest
from acr_training import evolve as evolving
from acr_training import quickstart as starting
from acr_training.commands.collect import at
from acr_training.config import Endpoint
from acr_training.progress import Bar


def evolve(
    runs: Annotated[list[Path], typer.Argument(help="Run directories the controller was trained on.")],
    controller: Annotated[Path, typer.Option(help="Folder of a signals controller to start from.")],
    out: Annotated[Path, typer.Option(help="Folder of the rounds; started again, it goes on.")],
    file: Annotated[Path, typer.Option("--config", help="How to collect: see acr train collect --config.")],
    rounds: Annotated[int, typer.Option(min=1, help="Rounds in all.")] = 2,
    base_url: Annotated[str | None, typer.Option(help="Base model's server. \\[the embedded model]")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Calls at once. [4]")] = None,
) -> None:
    """Collect where the new controller leads, retrain, and keep the round only if it gets better."""
    labelled = manifest.load(runs[0])["steps"].get("label", {}).get("arguments", {})
    given = {"out": out, "model": {"base_url": base_url}, "concurrency": concurrency}
    plan = config.load(file, **given)
    console = output.err()
    with target(None, upstream=plan.model.base_url) as found:
        bar = Bar(console)
        prices = {name: labelled[name] for name in ("price", "margin") if name in labelled}
        evolution = evolving.Evolution(
            tuple(runs), controller, out, at(plan, found.url, found.key), learn.RECIPES, **prices
        )
        with bar.progress:
            done = asyncio.run(evolving.evolve(evolution, rounds, bar))
    print(evolving.markdown(done))
    folder, _ = evolving.kept(evolution, done)
    console.print(f"Now: acr serve --controller {folder}")


def quickstart(
    out: Annotated[Path, typer.Option(help="Folder for all of it; started again, it goes on.")],
    base_url: Annotated[str | None, typer.Option(help="Base model's server. \\[the embedded model]")] = None,
    model: Annotated[str, typer.Option(help="Embedded model, or the server's.")] = "smollm2-135m-instruct",
    max_tokens: Annotated[int, typer.Option(min=1, help="Longest answer.")] = 48,
    rounds: Annotated[int, typer.Option(min=0, help="Rounds of evolution.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="Calls at once.")] = 4,
    seed: Annotated[int, typer.Option(help="Of everything.")] = 0,
) -> None:
    """Run the whole pipeline small, from conversations to a controller that acr serves. Takes minutes."""
    out.mkdir(parents=True, exist_ok=True)
    console = output.err()
    with target(None, upstream=base_url, model=None if base_url else model) as found:
        name = found.server.model.name if found.server else ""
        endpoint = Endpoint(base_url=found.url, model=name, key=found.key, max_tokens=max_tokens)
        bar = Bar(console)
        with bar.progress:
            made = asyncio.run(
                starting.run(
                    out,
                    endpoint,
                    rounds=rounds,
                    concurrency=concurrency,
                    seed=seed,
                    say=console.print,
                    watcher=bar,
                )
            )
    output.data(made)
    console.print(f"Now: acr serve --controller {made['controller']}")
