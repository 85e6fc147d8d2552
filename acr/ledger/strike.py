"""What is remembered of the open task to see what a new sentence overrules."""

from dataclasses import dataclass, field

from acr.ledger.changes import Span
from acr.ledger.core import How, Item
from acr.ledger.match import meet
from acr.ledger.values import NUMBERS, Value

_SLOTS = 48
"""Current values of one kind that are remembered."""


@dataclass(frozen=True, slots=True)
class Strike:
    """A part of an item that something else took the place of."""

    item: int
    span: Span
    by: int
    new: Span | None
    how: How


@dataclass(slots=True)
class Open:
    """What is needed of the open task to see what a new sentence overrules."""

    first: int = 0
    """Index of its first item."""
    values: dict[str, list[tuple[int, Value]]] = field(default_factory=dict)
    """Current values with the index of their item, by kind, oldest first; numbers of any kind together."""
    strikes: list[Strike] = field(default_factory=list)

    def same(self, value: Value) -> list[tuple[int, Value]]:
        """Current values of the kind of a value, with the index of their item, oldest first."""
        return self.values.get(_slot(value), [])

    def add(self, item: int, value: Value) -> None:
        """Remember a value as current. The oldest of its kind go."""
        held = self.values.setdefault(_slot(value), [])
        held.append((item, value))
        del held[:-_SLOTS]

    def forget(self, index: int, item: Item) -> None:
        """Values of an item that no longer hold are no longer current."""
        for kind, held in self.values.items():
            self.values[kind] = [
                (at, value) for at, value in held if at != index or not struck(item, (value.start, value.end))
            ]


def struck(item: Item, span: Span) -> bool:
    """Whether any of a part of an item no longer holds."""
    return any(meet(span, (gone.start, gone.end)) for gone in item.gone)


def _slot(value: Value) -> str:
    return "number" if value.kind in NUMBERS else value.kind
