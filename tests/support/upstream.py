"""A model server on raw sockets that answers by script and remembers every byte it was sent."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Received:
    """One request as it arrived."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes
    started: float
    closed: float | None = None
    """When the peer closed the connection before the answer was over; None if it did not."""
    reply: "Reply | None" = None
    """What it was answered."""
    finished: float | None = None
    """When the last byte of the answer was written."""

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name), None)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """One scripted answer. Each entry of `chunks` is one network write, and one HTTP chunk where chunked."""

    chunks: Sequence[bytes] = (b"",)
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()
    end: str = "clean"
    """`clean`; `abort`: close before the body is whole; `hang`: send everything but the end, then wait."""
    delay: float = 0.0
    """Seconds before the first byte."""
    delays: Sequence[float] = ()
    """Seconds before each write."""
    silent: bool = False
    """Never answer at all."""
    disconnect: bool = False
    """Close the connection without a byte."""

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks)

    @staticmethod
    def of_json(value: Any, status: int = 200, **more: Any) -> "Reply":
        return Reply([json.dumps(value).encode()], status, [("content-type", "application/json")], **more)

    @staticmethod
    def of_events(*data: Any, done: bool = True, **more: Any) -> "Reply":
        """Server-sent events, one write each; what is not a string is written as JSON."""
        texts = [item if isinstance(item, str) else json.dumps(item) for item in data] + ["[DONE]"] * done
        chunks = [f"data: {text}\n\n".encode() for text in texts]
        return Reply(chunks, headers=[("content-type", "text/event-stream")], **more)


def completion(text: str = "ok", model: str = "demo-model") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-t1",
        "object": "chat.completion",
        "created": 1700000000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
    }


def deltas(*texts: str) -> list[dict[str, Any]]:
    """Chunks of a streamed chat completion."""
    steps: list[tuple[dict[str, Any], str | None]] = [({"role": "assistant", "content": ""}, None)]
    steps += [({"content": text}, None) for text in texts]
    steps.append(({}, "stop"))
    return [
        {
            "id": "chatcmpl-t1",
            "object": "chat.completion.chunk",
            "created": 1700000000,
            "model": "demo-model",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }
        for delta, finish in steps
    ]


def ok(request: Received) -> Reply:
    """Answer "ok" in the form that was asked for."""
    try:
        asked = json.loads(request.body) if request.body else {}
    except ValueError:
        asked = {}
    streamed = isinstance(asked, dict) and asked.get("stream") is True
    return Reply.of_events(*deltas("o", "k")) if streamed else Reply.of_json(completion())


Script = Callable[[Received], Reply] | Iterable[Reply]


@dataclass
class ScriptedUpstream:
    """Runs in a thread of its own; use it as a context manager. The last reply of a script repeats."""

    script: Script = ok
    received: list[Received] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def answer(self, *replies: Reply) -> None:
        """Set a new script and forget what was received."""
        self.received.clear()
        self.script = list(replies) if replies else ok
        self._next = 0

    def __enter__(self) -> "ScriptedUpstream":
        self._next = 0
        self._lock = threading.Lock()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def refuse(self, refused: bool) -> None:
        """Stop listening, and close what is open; or listen again on the same port."""
        asyncio.run_coroutine_threadsafe(self._listen(not refused), self._loop).result(10)

    async def _listen(self, wanted: bool) -> None:
        if wanted and self._server is None:
            self._server = await asyncio.start_server(self._connection, "127.0.0.1", self.port, limit=1 << 26)
            self.port = self._server.sockets[0].getsockname()[1]
        elif not wanted and self._server is not None:
            self._server.close()
            self._server = None
            for writer in self._writers:
                writer.transport.abort()

    def drop_connections(self) -> None:
        """Break every connection at once, as a killed server does."""
        self._loop.call_soon_threadsafe(lambda: [writer.transport.abort() for writer in self._writers])

    def _run(self, started: threading.Event) -> None:
        asyncio.run(self._serve(started))

    async def _serve(self, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        await self._listen(True)
        started.set()
        await self._stop.wait()
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        ahead: bytes | None = b""
        try:
            while ahead is not None:
                ahead = await self._exchange(reader, writer, ahead)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            self._writers.discard(writer)
            writer.close()

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ahead: bytes
    ) -> bytes | None:
        """One request and its answer. `ahead` was read of the request before; what is read of the next, or None."""
        head = (ahead + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        started = time.monotonic()
        line, *rows = head[:-4].split("\r\n")
        method, target, _ = line.split(" ", 2)
        headers = [(key, value.strip()) for key, _, value in (row.partition(":") for row in rows)]
        request = Received(method, target, headers, b"", started)
        request.body = await self._body(reader, request)
        with self._lock:
            self.received.append(request)
            reply = request.reply = self._reply(request)
        gone = asyncio.ensure_future(reader.read(1))
        work = asyncio.ensure_future(self._send(writer, request, reply))
        try:
            await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and (gone.exception() or not gone.result()):
                request.closed = time.monotonic()
                return None
            again = (
                await work
            )  # a peer may send its next request as soon as it has the last byte of this answer
            return (gone.result() if gone.done() else b"") if again else None
        finally:
            work.cancel()
            if gone.cancel():
                with contextlib.suppress(asyncio.CancelledError):
                    await gone

    async def _body(self, reader: asyncio.StreamReader, request: Received) -> bytes:
        if "chunked" in (request.header("transfer-encoding") or ""):
            pieces = []
            while size := int((await reader.readline()).split(b";")[0], 16):
                pieces.append(await reader.readexactly(size))
                await reader.readexactly(2)
            await reader.readuntil(b"\r\n")
            return b"".join(pieces)
        return await reader.readexactly(int(request.header("content-length") or 0))

    def _reply(self, request: Received) -> Reply:
        if callable(self.script):
            return self.script(request)
        replies = list(self.script)
        reply = replies[min(self._next, len(replies) - 1)]
        self._next += 1
        return reply

    async def _send(self, writer: asyncio.StreamWriter, request: Received, reply: Reply) -> bool:
        if reply.silent:
            await asyncio.sleep(3600)
        await asyncio.sleep(reply.delay)
        if reply.disconnect:
            return False
        headers = list(reply.headers)
        names = {key.lower() for key, _ in headers}
        chunked = "content-length" not in names and len(reply.chunks) != 1
        bodiless = request.method == "HEAD" or reply.status in (204, 304)
        if "content-length" not in names and not bodiless:
            if chunked or reply.end != "clean":
                chunked = True
                headers.append(("transfer-encoding", "chunked"))
            else:
                headers.append(("content-length", str(sum(map(len, reply.chunks)))))
        head = [f"HTTP/1.1 {reply.status} Scripted", *(f"{key}: {value}" for key, value in headers)]
        writer.write(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
        if not bodiless:
            for index, chunk in enumerate(reply.chunks):
                if index < len(reply.delays):
                    await asyncio.sleep(reply.delays[index])
                writer.write(b"%x\r\n%b\r\n" % (len(chunk), chunk) if chunked and chunk else chunk)
                await writer.drain()
                await asyncio.sleep(0)
        request.finished = time.monotonic()
        if reply.end == "hang":
            await asyncio.sleep(3600)
        if reply.end == "abort":
            return False
        if chunked and not bodiless:
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        return "close" not in dict(headers).get("connection", "")
