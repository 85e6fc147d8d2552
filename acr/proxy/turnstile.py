"""Lets one request through in each round of the event loop.

Requests that arrive together would otherwise be read and decided on together, and no stream that is open gets
its bytes before the last of them is done. So between two of them the loop looks at its sockets.
"""

import asyncio
from collections import deque


class Turnstile:
    """For requests of one event loop."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._taken = False

    async def through(self) -> None:
        """Wait until no other has come through in this round; mostly that is at once."""
        loop = asyncio.get_running_loop()
        if self._taken:
            mine = loop.create_future()
            self._waiting.append(mine)
            await mine
        else:
            self._taken = True
            loop.call_soon(self._next)

    def _next(self) -> None:
        """Let the next one through; one that was cancelled leaves its place."""
        while self._waiting:
            mine = self._waiting.popleft()
            if not mine.done():
                mine.set_result(None)
                asyncio.get_running_loop().call_soon(self._next)
                return
        self._taken = False
