"""How many Python calls ACR makes for a request: a figure that is the same on every machine and in every run.

No sockets: the application gets a request and hands it to an upstream that is a list of chunks. What is
counted is what ACR does between the two, and nothing of the server's or the HTTP client's.
"""

import asyncio
import sys
from collections import deque
from collections.abc import MutableMapping
from types import FrameType
from typing import Any, cast

from acr.proxy.app import App, create_app
from acr.proxy.connection import Connection
from acr.settings import Settings
from acr_benchmarks.overhead.job import Job
from acr_benchmarks.overhead.payload import body
from acr_benchmarks.overhead.upstream import EVENT, LAST

HEADERS = [(b"Content-Type", b"text/event-stream"), (b"Transfer-Encoding", b"chunked")]


class Answered:
    """As much of a connection as the relay uses: an answer whose head is here, and its events."""

    status = 200
    headers = HEADERS

    def __init__(self, chunks: int) -> None:
        self._chunks = deque([*[EVENT % number for number in range(chunks)], LAST])

    async def read(self) -> bytes:
        return self._chunks.popleft() if self._chunks else b""


class Bench:
    """An application and requests for it. `chunks`: events of each answer."""

    def __init__(self, job: Job, chunks: int = 21, **settings: Any) -> None:
        self.app: App = create_app(Settings(upstream="http://127.0.0.1:9/v1", **settings))
        self.before, self.after = body(job, 1)
        self.app.relay.traces.pause = 3600.0  # what is worked out in between is part of no request
        self.chunks = chunks
        self.number = 0
        self.headers = [(name.encode(), value.encode()) for name, value in job.headers.items()]
        self.decision = b""
        self.app.relay.upstream.open = self._open  # type: ignore[method-assign,assignment]
        self.app.relay.upstream.done = lambda answered: None  # type: ignore[method-assign,assignment]

    async def _open(self, *_: Any) -> Connection:
        return cast(Connection, Answered(self.chunks))

    async def request(self) -> None:
        """Send a request whose newest turn is new, and take the whole answer."""
        self.number += 1
        body = b"%b%09d%b" % (self.before, self.number, self.after)
        head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/v1/chat/completions",
            "raw_path": b"/v1/chat/completions",
            "query_string": b"",
            "headers": [*head, (b"authorization", b"Bearer unused"), *self.headers],
        }
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> MutableMapping[str, Any]:
            if messages:
                return cast(MutableMapping[str, Any], messages.pop())
            await asyncio.sleep(3600)
            raise AssertionError

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self.decision = dict(message["headers"])[b"x-acr-decision"]

        await self.app(scope, receive, send)


class Counter:
    """Counts the calls of Python functions while it is in force, C functions not among them."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> "Counter":
        sys.setprofile(self._seen)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _seen(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            self.calls += 1


def calls(job: Job, decision: str, chunks: int = 21, **settings: Any) -> int:
    """Python calls for one request, after some that were not counted.

    Raises `AssertionError` if ACR decided otherwise than `decision`.
    """

    async def count() -> int:
        bench = Bench(job, chunks, **settings)
        for _ in range(5):
            await bench.request()
        assert bench.decision == decision.encode(), bench.decision
        with Counter() as counter:
            await bench.request()
        return counter.calls

    return asyncio.run(count())
