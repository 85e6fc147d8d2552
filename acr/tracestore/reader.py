"""Looks traces up for ACR's own endpoints: other workers', and those of before the last start.

Each look has its own thread, few at once and within a time limit: a store that hangs costs its asker a
second, and the pool of threads that the engine uses nothing.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from acr.trace import Trace

if TYPE_CHECKING:
    from acr.tracestore.database import Database

LIMIT = 1.0
"""Seconds that a look may take."""
THREADS = 4
"""Looks at once, those included that nobody waits for any more."""

Found = TypeVar("Found")
log = logging.getLogger("acr.traces")


class Reader:
    """What the store has, or nothing where it cannot be asked. Never raises."""

    def __init__(self, database: "Database") -> None:
        self._database = database
        self._free = threading.Semaphore(THREADS)

    async def get(self, id: str) -> Trace | None:
        """The newest trace of that id."""
        return await self._ask(lambda: self._database.get(id), None)

    async def newest(self, limit: int, *, brief: bool) -> list[Trace]:
        """The newest traces, newest first; `brief` without their text."""
        return await self._ask(lambda: self._database.newest(limit, brief=brief), [])

    async def _ask(self, work: Callable[[], Found], without: Found) -> Found:
        if not self._free.acquire(blocking=False):
            return without
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Found] = loop.create_future()

        def settle(found: Found) -> None:
            if not answer.done():
                answer.set_result(found)

        def run() -> None:
            found = without
            try:
                found = work()
            except Exception as fault:
                log.debug("the store of traces was not read: %s", type(fault).__name__)
            finally:
                self._free.release()
                if not loop.is_closed():
                    loop.call_soon_threadsafe(settle, found)

        threading.Thread(target=run, name="acr-traces-read", daemon=True).start()
        try:
            async with asyncio.timeout(LIMIT):
                return await answer
        except TimeoutError:
            return without
