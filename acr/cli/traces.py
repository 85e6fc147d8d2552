"""`acr traces`: what the store of traces holds (`ACR_STORE`): look, take out, delete, prepare."""

import json as jsonlib
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acr.cli import output

if TYPE_CHECKING:
    from acr.trace import Trace
    from acr.tracestore.database import Database, Which

app = typer.Typer(
    help="Look at stored traces, take them out, delete them.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Store = Annotated[
    str | None, typer.Option(help="The database, such as sqlite:///traces.db. \\[ACR_STORE, or acr.toml]")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Since = Annotated[str | None, typer.Option(help="From then on: 2026-12-01, 2026-12-01T08:00, 7d, 12h.")]
Before = Annotated[str | None, typer.Option(help="Until then, in the same forms.")]
Decision = Annotated[str | None, typer.Option(help="Only of this decision, such as intervened.")]
Operator = Annotated[str | None, typer.Option(help="Only where this operator was decided on.")]


@app.command("list")
def show_list(
    store: Store = None,
    limit: Annotated[int, typer.Option(min=1, help="So many at most, the newest.")] = 20,
    since: Since = None,
    before: Before = None,
    decision: Decision = None,
    operator: Operator = None,
    json: Json = False,
) -> None:
    """List the newest traces, without their text."""
    with opened(store) as database:
        found = database.newest(limit, which(since, before, decision, operator), brief=True)
    if json:
        for trace in found:
            output.data(trace.model_dump(mode="json", exclude_none=True))
        return
    for line in table(found) if found else ["No traces."]:
        output.out().print(line, soft_wrap=True)


def table(found: "Sequence[Trace]") -> list[str]:
    """Traces as lines, one each, whole however narrow the terminal is: an id that is cut names nothing."""
    from rich.cells import cell_len

    names = ["time", "id", "decision", "operator", "model", "tokens", "status"]
    rows = [names, *([output.safe(cell) for cell in columns(trace)] for trace in found)]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for name, cell, width in zip(names, row, widths, strict=True):
            room = " " * (width - cell_len(cell))
            cells.append(room + cell if name in ("tokens", "status") else cell + room)
        lines.append("  ".join(cells).rstrip())
    return lines


def columns(trace: "Trace") -> list[str]:
    """A trace as a row of the list."""
    tokens = "" if trace.tokens_before is None else f"{trace.tokens_before:,}"
    if trace.tokens_after is not None and trace.tokens_after != trace.tokens_before:
        tokens += f" → {trace.tokens_after:,}"
    status = trace.answer.status if trace.answer else None
    return [
        trace.time.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
        trace.id,
        trace.decision,
        trace.operator or "",
        trace.model,
        tokens,
        str(status or ""),
    ]


@app.command()
def show(
    id: Annotated[str, typer.Argument(help="The request's x-request-id.")],
    store: Store = None,
    json: Json = False,
) -> None:
    """Show one trace whole: with --json on one line, else for reading."""
    from acr.errors import ConfigError

    with opened(store) as database:
        trace = database.get(id)
    if trace is None:
        raise ConfigError(f"the store has no trace {id!r}")
    whole = trace.model_dump(mode="json", exclude_none=True)
    if json:
        output.data(whole)
    else:
        output.out().print(output.safe(jsonlib.dumps(whole, indent=2, ensure_ascii=False)), soft_wrap=True)


@app.command()
def export(
    out: Annotated[Path | None, typer.Option(help="File to write. \\[standard output]")] = None,
    store: Store = None,
    since: Since = None,
    before: Before = None,
    decision: Decision = None,
    operator: Operator = None,
    all: Annotated[bool, typer.Option("--all", help="Those without text too.")] = False,
) -> None:
    """Write traces as JSON lines, oldest first, as acr replay and acr train collect --traces read them.

    Without --all, those that hold the text of messages only: the others cannot be replayed.
    """
    from acr.proxy.record import dumps

    count = 0
    wanted = which(since, before, decision, operator, text=not all)
    with opened(store) as database, out.open("wb") if out else nullcontext(sys.stdout.buffer) as file:
        for trace in database.each(wanted):
            file.write(dumps(trace) + b"\n")
            count += 1
        missing = 0 if all else database.count(which(since, before, decision, operator)) - count
    left = f"; {missing:,} without text were left out" if missing > 0 else ""
    output.err().print(f"{count:,} traces written{left}")


@app.command()
def purge(
    store: Store = None,
    since: Since = None,
    before: Before = None,
    decision: Decision = None,
    operator: Operator = None,
    text: Annotated[bool, typer.Option("--text", help="Delete the text of messages only.")] = False,
    all: Annotated[bool, typer.Option("--all", help="Everything; needed where nothing is chosen.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Delete traces, and give their room back to the disk."""
    from acr.errors import ConfigError

    if not (all or since or before or decision or operator):
        also = ": with --text, too" if text else ""
        raise ConfigError(f"say which: --before 30d, --since, --decision, --operator, or --all{also}")
    wanted = which(since, before, decision, operator, text=text)
    with opened(store) as database:
        count = database.count(wanted)
        what = "the text of" if text else "all of"
        if count and not yes:
            typer.confirm(f"Delete {what} {count:,} traces?", abort=True, err=True)
        count = database.purge(wanted, text_only=text)
        database.shrink()
    if json:
        output.data({"deleted": count, "text_only": text})
    else:
        output.out().print(f"{count:,} traces deleted" if not text else f"text of {count:,} traces deleted")


@app.command()
def migrate(store: Store = None) -> None:
    """Prepare the database, or bring its schema up to date. acr serve does so for SQLite itself."""
    with opened(store, checked=False) as database:
        database.migrate()
        output.out().print(f"{database.name}: the schema is up to date")


@contextmanager
def opened(store: str | None, *, checked: bool = True) -> "Iterator[Database]":
    """The database. Raises `ConfigError` where there is none, `StoreError` where it cannot be used."""
    from acr.errors import ConfigError, StoreError
    from acr.settings import Settings

    settings = Settings.load(store=store)
    if settings.store is None:
        raise ConfigError("no store: set ACR_STORE, or give --store sqlite:///traces.db")
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from acr.tracestore.database import Database, cause
    except ImportError:
        raise ConfigError(
            "the store needs more packages: pip install 'adaptive-context-refactoring[store]'"
        ) from None
    database = Database(settings.store.get_secret_value())
    if checked and database.path is not None and not database.path.exists():
        raise ConfigError(f"there is no store {database.path}: no trace was written to it yet")
    try:
        if checked:
            database.check()
        yield database
    except SQLAlchemyError as error:
        raise StoreError(f"the store cannot be used: {cause(error)}") from None
    finally:
        database.close()


def which(
    since: str | None, before: str | None, decision: str | None, operator: str | None, *, text: bool = False
) -> "Which":
    """The traces that the options choose."""
    from acr.tracestore.database import Which

    return Which(moment(since), moment(before), decision, operator, text)


def moment(given: str | None) -> float | None:
    """Seconds since 1970 of a time as people write it: a date, with a time, or so long ago (`7d`, `12h`).

    Without a zone it is this machine's. Raises `ConfigError` for anything else.
    """
    from acr.errors import ConfigError

    if given is None:
        return None
    if ago := re.fullmatch(r"(\d{1,6})([dhm])", given):
        return datetime.now(UTC).timestamp() - int(ago[1]) * {"d": 86_400, "h": 3600, "m": 60}[ago[2]]
    try:
        return datetime.fromisoformat(given).timestamp()
    except ValueError:
        raise ConfigError(f"{given!r} is no time: write 2026-12-01, 2026-12-01T08:00, 7d or 12h") from None
