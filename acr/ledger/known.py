"""A bounded memory of ledgers by the beginning of the conversation that they are of."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from acr.ledger.builder import Builder
from acr.ledger.core import Ledger


@dataclass(frozen=True, slots=True)
class Held:
    """What was read, with what reads on from there, or what it amounts to."""

    said: list[str]
    """The texts of the turns."""
    builder: Builder | None
    ledger: Ledger | None
    characters: int


class Known:
    """Ledgers and their builders by what they have read: the texts, and for each turn a key that stands for
    it and all before it. A key finds one, the texts decide, so none is mistaken for another. A builder that
    is taken is out of here until it is put back, so no two requests ever add to the same.
    """

    def __init__(self, size: int = 512, characters: int = 16_000_000) -> None:
        self.size = size
        self.characters = characters
        """Of text, held in all."""
        self._held: OrderedDict[int, Held] = OrderedDict()
        self._weighs = 0
        self._lock = Lock()

    def ledger(self, said: list[str], keys: Sequence[int]) -> Ledger | None:
        """The ledger of exactly these turns, if it is known."""
        held = self._held.get(keys[-1]) if keys else None
        return held.ledger if held is not None and held.said == said else None

    def take(self, said: list[str], keys: Sequence[int]) -> tuple[Builder, int]:
        """The builder that has read most of these turns, and how many; a new one if there is none."""
        for count in range(len(said), 0, -1):
            if keys[count - 1] in self._held:
                with self._lock:
                    held = self._held.get(keys[count - 1])
                    if held is None or held.builder is None or held.said != said[:count]:
                        continue
                    del self._held[keys[count - 1]]
                    self._weighs -= held.characters
                return held.builder, count
        return Builder(), 0

    def put(
        self, said: list[str], keys: Sequence[int], builder: Builder | None, ledger: Ledger | None = None
    ) -> None:
        """Remember what was read with its builder, its ledger, or both. The oldest go."""
        if not keys:
            return
        new = Held(said, builder, ledger, sum(map(len, said)))
        with self._lock:
            old = self._held.pop(keys[-1], None)
            self._held[keys[-1]] = new
            self._weighs += new.characters - (old.characters if old else 0)
            while self._held and (len(self._held) > self.size or self._weighs > self.characters):
                self._weighs -= self._held.popitem(last=False)[1].characters

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._weighs = 0
