"""What is remembered of the open task to see what a new sentence overrules."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from acr.ledger.changes import Span
from acr.ledger.core import How, Item
from acr.ledger.match import meet
from acr.ledger.sentence import Sentence
from acr.ledger.values import NUMBERS, Value
from acr.ledger.word import SPACELESS

_SLOTS = 48
"""Current values of one kind that are remembered."""
_NEAREST = 16
"""Items that are remembered for the beginning of a word, so that a correction costs the same however long the
dialogue is."""


_RUN = 60
"""Characters of a run without spaces that are remembered."""


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
    said: dict[str, list[int]] = field(default_factory=dict)
    """Indexes of items by the beginnings of their words and the keys of their values, oldest first."""

    def copy(self) -> "Open":
        """The same, to go on from without a change to this one."""
        values = {kind: list(held) for kind, held in self.values.items()}
        said = {key: list(held) for key, held in self.said.items()}
        return Open(self.first, values, list(self.strikes), said)

    def index(self, item: int, read: Sentence) -> None:
        """Remember an item under its words and values."""
        keys = {key for word in read.words if word.telling for key in _beginnings(word.text)}
        for key in keys.union("=" + value.key for value in read.values):
            held = self.said.setdefault(key, [])
            held.append(item)
            if len(held) > 2 * _NEAREST:
                del held[:-_NEAREST]

    def near(self, words: Iterable[str]) -> list[int]:
        """Indexes of the newest items that may have one of these words, oldest first."""
        return sorted({at for word in words for key in _beginnings(word) for at in self._newest(key)})

    def valued(self, key: str) -> list[int]:
        """Indexes of the newest items that have a value of that key, oldest first."""
        return self._newest("=" + key)

    def _newest(self, key: str) -> list[int]:
        return self.said.get(key, [])[-_NEAREST:]

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


def _beginnings(word: str) -> Iterable[str]:
    """What two forms of one word have in common at least: two characters; without spaces, any character."""
    if word.isascii() or not SPACELESS.search(word):
        return (word.removeprefix("ال")[:2],)
    return set(word[:_RUN])


def struck(item: Item, span: Span) -> bool:
    """Whether any of a part of an item no longer holds."""
    return any(meet(span, (gone.start, gone.end)) for gone in item.gone)


def _slot(value: Value) -> str:
    return "number" if value.kind in NUMBERS else value.kind
