"""What goes where: data to standard output, everything else to standard error."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acr.errors import ConfigError

if TYPE_CHECKING:
    from rich.console import Console


@cache
def out() -> "Console":
    """Standard output. Colours on a terminal only; text is never read as markup."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


@cache
def err() -> "Console":
    """Standard error."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


@contextmanager
def resumable() -> Iterator[None]:
    """For a long run that keeps what is done: Ctrl-C says so and ends with exit code 130."""
    import typer

    try:
        yield
    except KeyboardInterrupt:
        err().print("Stopped. What is done is kept; start again to go on.")
        raise typer.Exit(130) from None


def data(value: Any) -> None:
    """Print a value as one line of JSON."""
    print(json.dumps(value, ensure_ascii=False))


def safe(text: str) -> str:
    """Text of others, fit for a terminal: control characters, escape sequences too, become visible."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", text)


def first_line(text: str, width: int = 72) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(safe(text).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def read(file: str) -> bytes:
    """A file's bytes; `-` is standard input. Raises `ConfigError` if it cannot be read."""
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None
