"""`acr model`: the models ACR can run itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from acr.cli import output

if TYPE_CHECKING:
    from pathlib import Path

    from acr.embedded import Model

app = typer.Typer(
    help="Fetch and list the models that ACR can run itself.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.command("list")
def list_(json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False) -> None:
    """List the models, and which of them are on this machine."""
    from acr.embedded import DEFAULT, MODELS, state, store

    rows: list[dict[str, Any]] = [
        {
            "name": model.name,
            "state": state(model),
            "size": model.size,
            "licence": model.licence,
            "context": model.context,
            "chat": model.chat,
            "sha256": model.sha256,
            "sources": [str(source) for source in model.sources],
            "default": model.name == DEFAULT,
            "about": model.about,
            "path": str(store.path(model)),
        }
        for model in MODELS.values()
    ]
    if json:
        output.data(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("model", "state", "size", "licence", "context", "about"):
        right = column in ("size", "context")
        table.add_column(column, justify="right" if right else "left", no_wrap=column != "about")
    for row in rows:
        size = f"{row['size'] / 1e6:,.0f} MB"
        table.add_row(row["name"], row["state"], size, row["licence"], f"{row['context']:,}", row["about"])
    output.out().print(table)


@app.command("pull")
def pull(
    name: Annotated[str | None, typer.Argument(help="Model; the default one if left out.")] = None,
) -> None:
    """Fetch a model's file, verify it, and print where it lies."""
    from acr.embedded import DEFAULT, find

    print(fetched(find(name or DEFAULT)))


def fetched(model: "Model") -> "Path":
    """The model's file, fetched with a progress bar unless it is there. Raises `ModelError`."""
    from acr import embedded

    if embedded.state(model) == "present":
        return embedded.store.path(model)
    console = output.err()
    console.print(f"fetching {model.name} ({model.size / 1e6:,.0f} MB, {model.licence})")
    with bar(model.size) as progress:
        return embedded.pull(model, progress)


class Bar:
    """Draws a download with rich."""

    def __init__(self, progress: Any, total: int) -> None:
        self.progress = progress
        self.total = total
        self.task: Any = None

    def source(self, name: str) -> None:
        self.progress.console.print(f"  from {name}")
        if self.task is not None:
            self.progress.remove_task(self.task)
        self.task = self.progress.add_task("", total=self.total)

    def at(self, done: int) -> None:
        self.progress.update(self.task, completed=min(done, self.total))


@contextmanager
def bar(total: int) -> Iterator[Bar]:
    """A progress bar on standard error; only its last state where that is no terminal."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=output.err()) as progress:
        yield Bar(progress, total)
