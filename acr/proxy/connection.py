"""One connection to the upstream: a request out, an answer in, and after that the next.

httptools reads the answers, the parser that uvicorn reads requests with. A general HTTP client in its place
costs more than all the rest of the relay (docs/performance.md).
"""

import asyncio
from collections.abc import AsyncIterator
from typing import cast

import httptools

from acr.proxy.headers import Headers

Body = bytes | AsyncIterator[bytes] | None
"""A request's body. Where it comes in pieces, none is empty: an empty chunk would be the last."""

MAX_HEAD = 1 << 18
"""Bytes that may come with neither the end of a head nor a piece of a body in them."""
FULL = 1 << 19
"""Bytes of an answer that may wait to be read before the upstream is told to pause."""
BODILESS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods whose requests need no `content-length` where there is no body."""


class Connection(asyncio.Protocol):
    """Carries one exchange at a time: `ask`, `answered`, `read` to the end, `reusable`."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(  # what upstreams may do wrong without a second meaning
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None
        """Where the other side takes no more for now: done when it does again."""
        self.lost = False
        """Closed, by either side."""
        self.whole = True
        """The answer is here to its end."""
        self._begin(bodiless=False)
        self._clean = True

    def _begin(self, *, bodiless: bool) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self._bodiless = bodiless
        self._head = False
        """Status and headers are here."""
        self._framed = False
        """The answer says itself where it ends; else the end of the connection is its end."""
        self._clean = False
        """The answer was read to its end, and another may follow."""
        self._size = 0
        """Bytes since the last that the parser had something to tell about; it keeps them until then."""
        self._pieces: list[bytes] = []
        self._waiting = 0
        self._paused = False
        self._upload: asyncio.Task[None] | None = None
        """Sends a body that comes in pieces."""

    # what the relay does

    def ask(self, method: str, target: bytes, headers: Headers, body: Body) -> None:
        """Send a request. Raises `ValueError` if a header holds a line break."""
        self.whole = False
        self._begin(bodiless=method == "HEAD")
        lines = [
            b"%b %b HTTP/1.1" % (method.encode("latin-1"), target),
            *[b"%b: %b" % one for one in headers],
        ]
        chunked = False
        if not any(name == b"content-length" for name, _ in headers):
            chunked = not (body is None or isinstance(body, bytes))
            if chunked:
                lines.append(b"transfer-encoding: chunked")
            elif body is not None or method not in BODILESS:
                lines.append(b"content-length: %d" % len(cast(bytes, body or b"")))
        head = b"\r\n".join((*lines, b"", b""))
        if head.count(b"\n") != len(lines) + 1 or head.count(b"\r") != len(lines) + 1:
            raise ValueError("a line break in a header")
        if isinstance(body, bytes):
            self.transport.writelines((head, body))
        else:
            self.transport.write(head)
        if body is not None and not isinstance(body, bytes):
            self._upload = self._loop.create_task(self._send(body, chunked=chunked))

    async def answered(self) -> None:
        """Wait for status and headers. Raises `ConnectionError` if they do not come."""
        while not self._head:
            await self._more()

    async def read(self) -> bytes:
        """What has come of the body, or b"" at its end. Raises `ConnectionError` if it breaks off before."""
        while not self._pieces:
            if self.whole:
                return b""
            await self._more()
        pieces, self._pieces, self._waiting = self._pieces, [], 0
        if self._paused:
            self._paused = False
            self.transport.resume_reading()
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    @property
    def reusable(self) -> bool:
        """Whether the answer was read to its end, and the upstream takes another request."""
        sent = self._upload is None or (self._upload.done() and not self._upload.cancelled())
        if not (self._clean and sent) or self._pieces or self.lost or self.transport.is_closing():
            return False
        return not self.transport.get_write_buffer_size()  # else what is left would pass for a request

    def close(self) -> None:
        """Close the connection, whatever is under way."""
        self._over()
        self.transport.abort()

    async def _more(self) -> None:
        """Wait until something has come. Raises `ConnectionError` if nothing more will."""
        if self.lost:
            raise ConnectionError("the connection broke off")
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    async def _send(self, body: AsyncIterator[bytes], *, chunked: bool) -> None:
        try:
            async for piece in body:
                if self._room is not None:
                    await self._room
                self.transport.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
            if chunked:
                self.transport.write(b"0\r\n\r\n")
        except Exception:  # half a request must not look like a whole one
            self.close()

    # what the event loop tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is not one by inheritance

    def data_received(self, data: bytes) -> None:
        if self.whole:  # nobody asked: whatever this is, it must not pass for the next answer
            self.close()
            return
        self._size += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._clean = False
            self.close()
        if self._size > MAX_HEAD:
            self._clean = False
            self.close()
        if self._waiting > FULL and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._end()
        self.transport.abort()  # else it would wait until the rest of the request has gone, maybe for ever

    def connection_lost(self, error: Exception | None) -> None:
        if error is None:
            self._end()
        else:
            self._over()

    def pause_writing(self) -> None:
        self._room = self._loop.create_future()

    def resume_writing(self) -> None:
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        self._room = None

    def _end(self) -> None:
        """The upstream says no more: an answer that does not say where it ends has ended."""
        if self._head and not self._framed and not self.lost:
            self.whole = True
        self._over()

    def _over(self) -> None:
        self.lost = True
        if self._upload is not None:
            self._upload.cancel()
        self.resume_writing()
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # what the parser finds; an answer such as `100 Continue` has another one after it

    def on_message_begin(self) -> None:
        if self.whole:  # a second answer
            self._clean = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if b"\0" in value:
            raise ValueError("a NUL in a header")
        if not self._head:  # what comes after the body is not passed on
            self.headers.append((name, value.rstrip(b" \t")))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if 100 <= status < 200 and status != 101:
            self.headers.clear()
            return
        if self.whole:
            return
        self.status, self._head, self._size = status, True, 0
        self._framed = self._parser.should_keep_alive() or any(
            name.lower() == b"content-length"
            or (name.lower() == b"transfer-encoding" and value.lower().endswith(b"chunked"))
            for name, value in self.headers
        )
        self.whole = self._bodiless

    def on_body(self, data: bytes) -> None:
        if self.whole:
            self._clean = False
            return
        self._size = 0
        self._pieces.append(data)
        self._waiting += len(data)

    def on_message_complete(self) -> None:
        if self._head and not self.whole:
            self.whole = True
            self._clean = self._parser.should_keep_alive()
