"""A model server that answers at once, or at a given pace, and does next to nothing for it.

    python -m acr_benchmarks.overhead.upstream

Prints its port. The request says what it wants in its model name, which every relay hands on:
`scripted-CHUNKS-MICROSECONDS`. A streamed answer is CHUNKS events that far apart, each with the time at which
it was sent in the field `created` (monotonic nanoseconds, the same clock in all processes of a machine).
"""

import asyncio
import re
from time import monotonic_ns
from typing import cast

import uvloop

SCRIPT = re.compile(rb"scripted-(\d+)-(\d+)").search
STREAM = re.compile(rb'"stream": ?true').search
LENGTH = re.compile(rb"content-length: ?(\d+)", re.IGNORECASE).search
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
EVENT = (
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":%d,"model":"scripted",'
    b'"choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}\n\n'
)
LAST = (
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted","choices":'
    b'[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9,'
    b'"total_tokens":18}}\n\ndata: [DONE]\n\n'
)
WHOLE = (
    b'{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"scripted","choices":[{"index":0,'
    b'"message":{"role":"assistant","content":"%b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,'
    b'"completion_tokens":9,"total_tokens":18}}'
)
NONE = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"


class Server(asyncio.Protocol):
    """One connection. Requests have a content-length, and none is sent before the one before is answered."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is not one by inheritance
        self.pieces: list[bytes] = []
        self.missing = -1
        """Bytes of the body that are not here yet; -1 where the head is not."""

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)
        if self.missing < 0:
            whole = b"".join(self.pieces)
            end = whole.find(b"\r\n\r\n")
            if end < 0:
                return
            length = LENGTH(whole, 0, end)
            self.missing = (int(length[1]) if length else 0) - (len(whole) - end - 4)
        else:
            self.missing -= len(data)
        if self.missing <= 0:
            request = b"".join(self.pieces)
            self.pieces, self.missing = [], -1
            self.answer(request)

    def answer(self, request: bytes) -> None:
        script = SCRIPT(request)
        if script is None:
            self.transport.write(NONE)
            return
        chunks, gap = int(script[1]), int(script[2]) * 1000
        if STREAM(request) is None:
            body = WHOLE % (b" word" * chunks)
            self.transport.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
                % (len(body), body)
            )
            return
        self.transport.write(HEAD)
        if gap:
            self.paced(chunks, gap, monotonic_ns() + gap)
            return
        for _ in range(chunks):
            self.transport.write(framed(EVENT % monotonic_ns()))
        self.transport.write(framed(LAST) + b"0\r\n\r\n")

    def paced(self, left: int, gap: int, due: int) -> None:
        """Send an event each `gap` nanoseconds; one that is late does not put off the next."""
        if self.transport.is_closing():
            return
        if left == 0:
            self.transport.write(framed(LAST) + b"0\r\n\r\n")
            return
        wait = (due - monotonic_ns()) / 1e9
        asyncio.get_running_loop().call_later(max(0.0, wait), self.send, left, gap, due)

    def send(self, left: int, gap: int, due: int) -> None:
        if not self.transport.is_closing():
            self.transport.write(framed(EVENT % monotonic_ns()))
            self.paced(left - 1, gap, due + gap)


def framed(data: bytes) -> bytes:
    """As one chunk of HTTP/1.1."""
    return b"%x\r\n%b\r\n" % (len(data), data)


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
