"""What a ledger is."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["goal", "requirement", "correction", "question", "reply", "chat"]


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence of the user, verbatim, with the turn it came from."""

    turn: str
    text: str
    kind: Kind
    task: int = 0
    """Which task of the conversation it belongs to, counted from 0."""
    replaced_by: str | None = None
    """Text of the later item that overrules this one; None while it holds."""

    @property
    def holds(self) -> bool:
        return self.replaced_by is None


@dataclass(frozen=True)
class Ledger:
    """Items in the order they were said. Every sentence of every user turn is in it once."""

    items: tuple[Item, ...] = ()

    @property
    def task(self) -> int:
        """The open task."""
        return self.items[-1].task if self.items else 0

    @property
    def goal(self) -> Item | None:
        """What the user wants of the open task."""
        return next((item for item in self.items if item.task == self.task and item.kind == "goal"), None)

    @property
    def specification(self) -> tuple[Item, ...]:
        """All that was said about what is wanted of the open task; `Item.holds` tells what still does."""
        kinds = ("goal", "requirement", "correction", "question")
        return tuple(item for item in self.items if item.task == self.task and item.kind in kinds)

    def replacement(self, turn: str, sentence: str) -> str | None:
        """The sentence that overrules this sentence of that turn, if one does."""
        return self._replaced.get((turn, sentence))

    @cached_property
    def _replaced(self) -> dict[tuple[str, str], str]:
        return {
            (item.turn, item.text): item.replaced_by for item in self.items if item.replaced_by is not None
        }
