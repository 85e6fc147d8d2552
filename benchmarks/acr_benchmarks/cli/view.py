"""`acr bench view`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from acr.errors import BenchmarkError
from acr_benchmarks import browse, browse_page, browse_text, store
from acr_benchmarks.cli.base import app, console, told


@app.command()
def view(
    directory: Annotated[Path, typer.Argument(help="A run directory, or one under benchmarks/reports.")],
    task: Annotated[str, typer.Option(help="Only this task.")] = "",
    setting: Annotated[str, typer.Option(help="Only this setting.")] = "",
    item: Annotated[str, typer.Option(help="Only items with this in their id.")] = "",
    run: Annotated[int | None, typer.Option(min=0, help="Only this run.")] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Only where the last answer is not right.")] = False,
    changed: Annotated[bool, typer.Option("--changed", help="Only where ACR intervened.")] = False,
    brief: Annotated[bool, typer.Option("--list", help="One line a conversation.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write one HTML page instead.")] = None,
) -> None:
    """Browse conversations turn by turn: what was sent, what the model saw, what came back and its score.

    In a terminal one at a time, forth and back; elsewhere all of them, one after the other.
    """
    with told():
        chosen = browse.choose(
            store.episodes(directory),
            task=task,
            setting=setting,
            item=item,
            run=run,
            wrong=wrong,
            changed=changed,
        )
        if not chosen:
            raise BenchmarkError(f"{directory} has no conversation like that")
        if html is not None:
            html.write_text(browse_page.page(chosen, directory.resolve().name), encoding="utf-8")
            console.print(f"{len(chosen)} conversations in {html}", highlight=False)
            return
    output = Console(highlight=False)
    if brief:
        output.print(browse_text.listing(chosen))
    elif output.is_terminal:
        browse_text.walk(chosen, output, input)
    else:
        for one in chosen:
            output.print(browse_text.show(one))
