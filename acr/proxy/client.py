"""The client's end of a request: its body, and whether it is still there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any

from acr.proxy.background import spawn

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


PATIENCE = 0.02
"""Seconds after which a client is watched: most of what takes less has no need of a task for that."""


class TooLarge(Exception):
    """The request body is larger than ACR reads."""


class HungUp(Exception):
    """The client went away before its request was read."""


class Client:
    """Reads the body, then watches: when the client hangs up, the task that serves it is cancelled."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._watcher: asyncio.Task[None] | None = None
        self._soon: asyncio.TimerHandle | None = None
        self._done = False
        self.hung_up = False

    async def body(self, limit: int) -> bytes:
        """Read the whole body. Raises `TooLarge` beyond `limit` bytes, `HungUp` if it does not all come."""
        pieces: list[bytes] = []
        size = 0
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self.hung_up = True
                raise HungUp
            piece: bytes = message.get("body", b"")
            size += len(piece)
            if size > limit:
                raise TooLarge
            pieces.append(piece)
            if not message.get("more_body", False):
                return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def upload(self) -> AsyncIterator[bytes]:
        """The body piece by piece, as the upstream takes it."""
        task = self._task
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                if not self._done:
                    self.hung_up = True
                    task.cancel()
                    await asyncio.sleep(60)  # the task that waits for us goes first, and takes us along
                return
            if message.get("body"):
                yield message["body"]
            if not message.get("more_body", False):
                if not self._done:
                    self._watcher = spawn(self._watch(task))
                return

    def watch(self) -> None:
        """Cancel the current task when the client hangs up, or has done so by the time this looks."""
        self._soon = asyncio.get_running_loop().call_later(PATIENCE, self._begin)

    def _begin(self) -> None:
        self._soon = None
        self._watcher = spawn(self._watch(self._task))

    def prepare(self) -> None:
        """Remember whom to cancel."""
        task = asyncio.current_task()
        assert task is not None
        self._task = task

    def done(self) -> None:
        """Stop watching: the last byte is about to go."""
        self._done = True
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        if self._watcher is not None:
            self._watcher.cancel()
            self._watcher = None

    async def _watch(self, task: "asyncio.Task[Any]") -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        if not self._done:
            self.hung_up = True
            task.cancel()
