"""A bounded memory of ledgers by the beginning of the conversation that they are of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from acr.ledger.builder import Builder
from acr.ledger.core import Ledger
from acr.memo import Bounded


@dataclass(frozen=True, slots=True)
class Held:
    """What was read, with what reads on from there, or what it amounts to."""

    said: list[str]
    """The texts of the turns."""
    builder: Builder | None
    ledger: Ledger | None


class Known:
    """Ledgers and their builders by what they have read: the texts, and for each turn a key that stands for
    it and all before it. A key finds one, the texts decide, so none is mistaken for another. A builder that
    is taken is out of here until it is put back, so no two requests ever add to the same.
    """

    def __init__(self, size: int = 512, characters: int = 16_000_000) -> None:
        self._held: Bounded[Held] = Bounded(size, characters)
        """Weighed by the characters of text."""

    def ledger(self, said: list[str], keys: Sequence[int]) -> Ledger | None:
        """The ledger of exactly these turns, if it is known."""
        held = self._held.get(keys[-1]) if keys else None
        return held.ledger if held is not None and held.said == said else None

    def take(self, said: list[str], keys: Sequence[int]) -> tuple[Builder, int]:
        """The builder that has read most of these turns, and how many; a new one if there is none."""
        for count in range(len(said), 0, -1):
            if keys[count - 1] in self._held:
                held = self._held.take(keys[count - 1], partial(_reads_on, said[:count]))
                if held is not None and held.builder is not None:
                    return held.builder, count
        return Builder(), 0

    def put(
        self, said: list[str], keys: Sequence[int], builder: Builder | None, ledger: Ledger | None = None
    ) -> None:
        """Remember what was read with its builder, its ledger, or both. The oldest go."""
        if keys:
            self._held.put(keys[-1], Held(said, builder, ledger), sum(map(len, said)))

    def clear(self) -> None:
        self._held.clear()


def _reads_on(said: list[str], held: Held) -> bool:
    """Whether a builder is held that has read just this."""
    return held.builder is not None and held.said == said
