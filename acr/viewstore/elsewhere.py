"""A store for a thread with a loop of its own: connections belong to the loop that they were made in."""

import asyncio
from collections.abc import Sequence

from acr.viewstore.core import Found, Store


class Elsewhere:
    """What the proxy's large requests, which are read in threads, see of the store."""

    def __init__(self, store: Store, loop: asyncio.AbstractEventLoop) -> None:
        self.name = store.name
        self.counts = store.counts
        self._store = store
        self._loop = loop

    async def fetch(self, keys: Sequence[bytes]) -> Found:
        work = self._store.fetch(keys)
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:  # that loop is gone: the proxy is stopping
            work.close()
            return Found([None] * len(keys), "miss here: stopping")
        return await asyncio.wrap_future(future)

    def keep(self, key: bytes, value: bytes) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._store.keep, key, value)

    @property
    def up(self) -> bool:
        return self._store.up

    async def trouble(self) -> str | None:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._store.trouble(), self._loop))

    async def close(self) -> None:
        """Nothing: the store is closed where it lives."""
