"""What a store of views is, and what it counts."""

from collections import Counter, defaultdict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

MAX_VALUE = 256 * 1024
"""Bytes of a view that is kept. A longer one is made anew where it is needed."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a look into a store gave: a value or None for each key."""

    values: list[bytes | None]
    told: str
    """`hit`, `miss`, or with a colon what kept the store away: `hit here: TimeoutError`."""


@dataclass(slots=True)
class Counts:
    """What a store did since the process began."""

    looks: Counter[str] = field(default_factory=Counter)
    """Keys looked up: `hit`, `miss`, `here` (only this process's memory had it), `invalid` (what was there
    was not sealed for this key)."""
    writes: Counter[str] = field(default_factory=Counter)
    """Views to keep: `kept`, `failed`, `skipped` (the store is known to be away or full), `too_large`."""
    faults: Counter[str] = field(default_factory=Counter)
    """Exchanges with the store that failed, by class of the error."""
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds in exchanges with the store, `read` and `write`; failed ones too."""
    exchanges: Counter[str] = field(default_factory=Counter)
    """How many these were."""


class Store(Protocol):
    """Values under keys, for a while. Nothing here raises."""

    @property
    def name(self) -> str: ...

    @property
    def counts(self) -> Counts: ...

    @property
    def up(self) -> bool:
        """Whether the store answered and took what was written, when last tried."""
        ...

    def fetch(self, keys: Sequence[bytes]) -> Coroutine[Any, Any, Found]:
        """What is kept under these keys, all in one exchange, within the store's time limit."""
        ...

    def keep(self, key: bytes, value: bytes) -> None:
        """Keep a value, in place of what was there. Returns at once."""
        ...

    def trouble(self) -> Coroutine[Any, Any, str | None]:
        """What is wrong with the store right now, in few words, or None. For `/readyz`."""
        ...

    async def close(self) -> None:
        """Let go of connections; what is still to be written is lost."""
        ...
