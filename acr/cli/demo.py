"""`acr demo`: one task, told in pieces, to the model directly and through ACR, side by side."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from acr.cli import output

if TYPE_CHECKING:
    from acr.cli.demo_run import Changed, Side
    from acr.cli.upstream import Target


def demo(
    config: Annotated[Path | None, typer.Option(help="Settings file; acr.toml if it is there.")] = None,
    upstream: Annotated[
        str | None, typer.Option(help="Base URL of a model server; else the embedded model runs.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Model to ask; without an upstream, the embedded one.")
    ] = None,
    controller: Annotated[str | None, typer.Option(help="Who decides. \\[rules]")] = None,
    temperature: Annotated[float, typer.Option(help="Sampling temperature.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Sampling seed.")] = 1,
) -> None:
    """Watch a model get lost, and brought back.

    Takes a minute or a few with the embedded model.
    """
    from acr.cli.demo_run import Side, proxy
    from acr.cli.demo_task import TASK
    from acr.cli.demo_view import account
    from acr.cli.upstream import target

    console = output.out()
    with target(config, upstream=upstream, controller=controller, model=model) as found:
        name = found.server.model.name if found.server else model or first(found)
        with proxy(found.settings) as address:
            shared: dict[str, Any] = {
                "key": found.key,
                "model": name,
                "seed": seed,
                "temperature": temperature,
            }
            direct = Side("direct", found.url, **shared)
            through = Side("through ACR", address, **shared, raw=False)
            whole = Side("told at once", found.url, **shared)
            console.print(f"model {name}   temperature {temperature:g}   seed {seed}\n")
            asyncio.run(run([direct, through], TASK.pieces))
            asyncio.run(run([whole], (TASK.whole,)))
    account(TASK, direct, through, whole, console)


def first(found: "Target") -> str:
    """The first model the upstream lists. Raises `UpstreamError` if it lists none."""
    from acr.cli.upstream import models
    from acr.errors import UpstreamError

    listed = models(found.url, found.key)
    if not listed:
        raise UpstreamError(f"{found.url} lists no models: name one, --model NAME")
    return listed[0]


async def run(sides: "Sequence[Side]", pieces: tuple[str, ...]) -> None:
    """Hold the conversations at once, drawn as they come on a terminal, a line a turn elsewhere."""
    console = output.out()
    if not console.is_terminal:
        await gather(sides, pieces, Lines(sides))
        return
    from rich.live import Live

    from acr.cli.demo_view import live

    with Live(
        get_renderable=lambda: live(sides, console), console=console, transient=True, refresh_per_second=8
    ):
        await gather(sides, pieces, lambda: None)


async def gather(sides: "Sequence[Side]", pieces: tuple[str, ...], changed: "Changed") -> None:
    """All conversations at once; the first that fails ends the others. Raises what it raised."""
    talks = [asyncio.ensure_future(side.converse(pieces, changed)) for side in sides]
    try:
        await asyncio.gather(*talks)
    finally:
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


class Lines:
    """Tells of every finished turn on standard error, where nobody watches a terminal."""

    def __init__(self, sides: "Sequence[Side]") -> None:
        self.sides = sides
        self.told = 0

    def __call__(self) -> None:
        done = [(side, turn) for side in self.sides for turn in side.turns if turn.done]
        if len(done) > self.told:
            self.told = len(done)
            counts = ", ".join(f"{side.title} {sum(t.done for t in side.turns)}" for side in self.sides)
            output.err().print(f"turns answered: {counts}")
