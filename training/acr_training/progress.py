"""How far a collection is: a bar on a terminal, a line now and then elsewhere."""

from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from acr_training.collect import Watcher

EVERY = 30.0
"""Seconds between two lines of progress where there is no terminal."""


class Bar(Watcher):
    """Progress by conversations, with the calls made and the time left."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self.bar = self.progress.add_task("conversations", total=None)
        self.start = self.told = monotonic()
        self.units = self.done = self.calls = 0

    def begin(self, units: int) -> None:
        self.units = units
        self.progress.update(self.bar, total=units)

    def call(self) -> None:
        self.calls += 1
        self.progress.update(self.bar, description=f"conversations ({self.calls} calls)")
        self.tell()

    def unit(self, name: str) -> None:
        self.done += 1
        self.progress.advance(self.bar)

    def failure(self, name: str, error: Exception) -> None:
        self.console.print(f"not finished: {name}: {error}", highlight=False, markup=False)

    def tell(self) -> None:
        now = monotonic()
        if self.console.is_terminal or now - self.told < EVERY:
            return
        self.told = now
        left = (now - self.start) / self.done * (self.units - self.done) / 60 if self.done else 0
        when = f", about {left:.0f} min left" if self.done else ""
        self.console.print(
            f"{self.done} of {self.units} conversations, {self.calls} calls{when}", highlight=False
        )
