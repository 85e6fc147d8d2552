"""Views in the memory of this process: the default, and what is left where Redis is away."""

from collections.abc import Callable, Sequence
from time import monotonic

from acr.memo import Bounded
from acr.viewstore.core import MAX_VALUE, Counts, Found

TTL = 86_400.0
"""Seconds a view is kept."""
SIZE, WEIGHT = 20_000, 16 * 1024 * 1024
"""Views, and bytes of them all, that a process holds. The oldest go."""


class Memory:
    """A bounded number of views, none of them older than `ttl` seconds."""

    name = "memory"
    up = True

    def __init__(self, ttl: float = TTL, clock: Callable[[], float] = monotonic) -> None:
        self.ttl = ttl
        self.counts = Counts()
        self._clock = clock
        self._held: Bounded[tuple[float, bytes]] = Bounded(SIZE, WEIGHT)

    def get(self, key: bytes) -> bytes | None:
        """The value of a key, if it has not expired."""
        held = self._held.get(int.from_bytes(key, "big"))
        return held[1] if held is not None and self._clock() < held[0] else None

    async def fetch(self, keys: Sequence[bytes]) -> Found:
        values = [self.get(key) for key in keys]
        for value in values:
            self.counts.looks["miss" if value is None else "hit"] += 1
        return Found(values, "hit" if any(value is not None for value in values) else "miss")

    def keep(self, key: bytes, value: bytes) -> None:
        if len(value) > MAX_VALUE:
            self.counts.writes["too_large"] += 1
            return
        self._held.put(int.from_bytes(key, "big"), (self._clock() + self.ttl, value), len(value))
        self.counts.writes["kept"] += 1

    async def trouble(self) -> None:
        """Nothing that a process could outlive."""
        return None

    async def close(self) -> None:
        self._held.clear()
