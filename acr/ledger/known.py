"""A bounded memory of ledgers by the beginning of the conversation that they are of."""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import accumulate
from threading import Lock

from acr.ledger.builder import Builder

Said = tuple[int, str, str, str]
"""Task, id, act and text of a turn: all that a ledger depends on."""


class Known:
    """Builders by what they have read. One that is taken is out of here until it is put back, so no two
    requests ever add to the same. A hash finds it and the texts themselves decide, so none is ever mistaken.
    """

    def __init__(self, size: int = 256, weight: int = 16_000_000) -> None:
        self.size = size
        self.weight = weight
        """Characters of text held in all."""
        self._held: OrderedDict[int, tuple[Builder, list[Said], int]] = OrderedDict()
        self._weighs = 0
        self._lock = Lock()

    def take(self, said: list[Said]) -> tuple[Builder, int]:
        """The builder that has read most of these turns, and how many; a new one if there is none."""
        keys = _keys(said)
        for count in range(len(said), 0, -1):
            if keys[count - 1] not in self._held:
                continue
            with self._lock:
                held = self._held.pop(keys[count - 1], None)
                if held is not None:
                    self._weighs -= held[2]
            if held is not None and held[1] == said[:count]:
                return held[0], count
        return Builder(), 0

    def put(self, said: list[Said], builder: Builder) -> None:
        """Remember a builder and what it has read. The oldest go."""
        if not said:
            return
        key = _keys(said)[-1]
        weight = sum(len(text) for _, _, _, text in said)
        with self._lock:
            old = self._held.pop(key, None)
            self._held[key] = (builder, said, weight)
            self._weighs += weight - (old[2] if old else 0)
            while self._held and (len(self._held) > self.size or self._weighs > self.weight):
                self._weighs -= self._held.popitem(last=False)[1][2]

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._weighs = 0


def _keys(said: Sequence[Said]) -> list[int]:
    """For each turn a hash of it and all before it."""
    return list(accumulate(map(hash, said), lambda before, one: hash((before, one))))
