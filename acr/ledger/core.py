"""What a ledger is."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["goal", "requirement", "correction", "question", "settled", "chat"]


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence of the user, verbatim, with the turn it came from."""

    turn: str
    text: str
    kind: Kind
    replaced_by: str | None = None
    """Text of the later item that overrules this one; None while it holds."""

    @property
    def current(self) -> bool:
        return self.replaced_by is None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Items in the order they were said."""

    items: tuple[Item, ...] = ()

    @property
    def goal(self) -> Item | None:
        """What the user wants in the first place: the first item of the open task."""
        return next((item for item in self.items if item.kind == "goal"), None)

    @property
    def current(self) -> tuple[Item, ...]:
        """The specification as it stands: the open task's goal, requirements and corrections."""
        return tuple(
            item
            for item in self.items
            if item.current and item.kind in ("goal", "requirement", "correction", "question")
        )
