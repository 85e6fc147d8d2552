"""What a signal is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """A number and the ids of the turns it was read from."""

    value: float
    evidence: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.value > 0


ABSENT = Signal(0.0)


@dataclass(frozen=True, slots=True)
class Signals(Mapping[str, Signal]):
    """Signals by name. A name that was not computed reads as 0 with no evidence."""

    named: Mapping[str, Signal]

    def __getitem__(self, name: str) -> Signal:
        try:
            return self.named[name]
        except KeyError:
            return ABSENT

    def __contains__(self, name: object) -> bool:
        return name in self.named

    def __iter__(self) -> Iterator[str]:
        return iter(self.named)

    def __len__(self) -> int:
        return len(self.named)

    def plus(self, more: Mapping[str, Signal]) -> "Signals":
        """These and `more`, which win. None is computed by this."""
        return Signals(Both(more, self.named)) if more else self

    def known(self) -> dict[str, float]:
        """The same for those that somebody has asked for, and what came with them: nothing is computed."""
        worked_out = getattr(self.named, "worked_out", None)
        return self.numbers() if worked_out is None else {name: one.value for name, one in worked_out.items()}

    def numbers(self) -> dict[str, float]:
        """Name to value, as traces and controllers want it."""
        named = self.named
        return {name: named[name].value for name in named}


@dataclass(frozen=True, slots=True)
class Both(Mapping[str, Signal]):
    """Two mappings seen as one; the first wins."""

    first: Mapping[str, Signal]
    second: Mapping[str, Signal]

    def __getitem__(self, name: str) -> Signal:
        return self.first[name] if name in self.first else self.second[name]

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((*self.second, *self.first))

    def __len__(self) -> int:
        return len({*self.first, *self.second})

    @property
    def worked_out(self) -> Mapping[str, Signal]:
        return {**getattr(self.second, "worked_out", self.second), **self.first}
