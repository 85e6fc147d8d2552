"""One connection of the load generator: a request out, an answer in, and when its parts came."""

import asyncio
import re
from itertools import pairwise
from time import monotonic_ns, perf_counter
from typing import cast

from acr_benchmarks.overhead.job import Answer

LENGTH = re.compile(rb"content-length: ?(\d+)", re.IGNORECASE).search
DECISION = re.compile(rb"x-acr-decision: ?([a-z]+)", re.IGNORECASE).search
SENT = re.compile(rb'"created":(\d{9,})').findall
END = b"0\r\n\r\n"
"""Of a chunked body. The scripted upstream writes nothing that looks like it."""


class Connection(asyncio.Protocol):
    """Exchanges requests and answers, one at a time."""

    def __init__(self, paced: bool) -> None:
        self.paced = paced

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is not one by inheritance
        self.done: asyncio.Future[Answer] | None = None

    async def exchange(self, request: bytes, due: float | None = None) -> Answer:
        """Send a request and wait for its whole answer. Times count from `due`, or else from now."""
        self.done = asyncio.get_running_loop().create_future()
        self.start = perf_counter() if due is None else due
        self.first = 0.0
        self.head: bytes | None = None
        self.begun = b""
        self.left = -1
        self.tail = b""
        self.sent: list[int] = []
        self.came: list[int] = []
        if self.transport.is_closing():
            return Answer(False, 0.0, 0.0)
        self.transport.write(request)
        return await self.done

    def data_received(self, data: bytes) -> None:
        if self.head is None:
            self.begun += data
            end = self.begun.find(b"\r\n\r\n")
            if end < 0:
                return
            self.head, data = self.begun[:end], self.begun[end + 4 :]
            length = LENGTH(self.head)
            self.left = int(length[1]) if length else -1
            if not data:
                return
        if not self.first:
            self.first = perf_counter()
        if self.paced:
            now = monotonic_ns()
            for sent in SENT(data):
                self.sent.append(int(sent))
                self.came.append(now)
        if self.left >= 0:
            self.left -= len(data)
            ended = self.left <= 0
        else:
            self.tail = (self.tail + data)[-len(END) :]
            ended = self.tail == END
        if ended:
            self.finish(whole=self.head.startswith(b"HTTP/1.1 200"))

    def finish(self, *, whole: bool) -> None:
        if self.done is None or self.done.done():
            return
        decision = DECISION(self.head or b"")
        self.done.set_result(
            Answer(
                whole,
                (self.first - self.start) * 1000,
                (perf_counter() - self.start) * 1000,
                decision[1].decode() if decision else "",
                tuple((came - sent) / 1e6 for sent, came in zip(self.sent, self.came, strict=True)),
                (longest(self.came) - longest(self.sent)) / 1e6,
            )
        )

    def connection_lost(self, error: Exception | None) -> None:
        self.finish(whole=False)


def longest(times: list[int]) -> int:
    """The longest time between two."""
    return max((after - before for before, after in pairwise(times)), default=0)
