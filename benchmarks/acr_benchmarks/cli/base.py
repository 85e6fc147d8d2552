"""What the commands share."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.markup import escape

from acr.errors import AcrError

app = typer.Typer(
    no_args_is_help=True,
    help="The sharded benchmark: what a model loses over several turns, and what a policy brings back.",
)
console = Console(stderr=True)


@contextmanager
def told() -> Iterator[None]:
    """An error that the user can do something about becomes one line, and exit code 1."""
    try:
        yield
    except (AcrError, OSError, ValueError) as error:
        console.print(f"[red]error:[/] {escape(str(error))}", highlight=False)
        raise typer.Exit(1) from error


def names(text: str) -> list[str]:
    """The parts of a list separated by commas, each once."""
    return list(dict.fromkeys(part for part in map(str.strip, text.split(",")) if part))
