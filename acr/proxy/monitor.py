"""Reads a copy of the answer, after the client has it."""

import importlib
import zlib
from typing import Any

from acr.dialects import Reader
from acr.dialects.sse import EventDecoder
from acr.proxy.headers import Headers, printable
from acr.trace import Answer

PIECE = 256 * 1024
"""Bytes of a stream that are collected before they are read: reading waits while bytes flow."""
MAX_DOCUMENT = 16 * 1024 * 1024
"""Answers that are not streamed are read up to this size."""


class Monitor:
    """Takes in the bytes of one answer as they were relayed. Never raises; the unreadable is left out."""

    def __init__(self, reader: Reader, headers: Headers) -> None:
        lowered = {key.lower(): value.lower() for key, value in headers}
        self.streamed = lowered.get(b"content-type", b"").startswith(b"text/event-stream")
        coding = lowered.get(b"content-encoding", b"identity").strip()
        self._unpack: Any = _unpacker(coding)
        self._unread: str | None = None
        """Why nothing of the answer is told, where that is so."""
        if self._unpack is None:
            self._unread = f"unread: content-encoding {printable(coding.decode('latin-1'), 40).decode()}"
        self._reader = reader
        self._events = EventDecoder(reader.wanted)
        self._pieces: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        """Remember a chunk that the client has got."""
        if self._unpack is None:
            return
        self._pieces.append(chunk)
        self._size += len(chunk)
        if self.streamed:
            if self._size >= PIECE:
                self._read()
        elif self._size > MAX_DOCUMENT:
            self._unpack, self._unread = None, f"unread: over {MAX_DOCUMENT} bytes"
            self._pieces.clear()

    def answer(self, status: int, *, error: str | None) -> Answer:
        """Tell what came. `error` says how the transfer ended, if not well."""
        try:
            if self._unread is not None:
                return Answer(status=status, error=error or self._unread)
            self._read(last=True)
            answer = self._reader.answer()
        except Exception as fault:  # diagnosis must never cost an answer; the trace says what is missing
            answer = Answer(error=f"unreadable: {type(fault).__name__}")
        answer.status = status
        if error is not None:
            answer.error = error
            answer.complete = False
        return answer

    def _read(self, *, last: bool = False) -> None:
        if self._unpack is None:
            return
        data = b"".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        data = self._unpack(data)
        if not self.streamed:
            self._reader.document(data)
            return
        events = self._events.feed(data)
        if last:
            events += self._events.close()
        for event in events:
            self._reader.event(event.name, event.data)


def _unpacker(coding: bytes) -> Any:
    """What undoes a content coding; None where nothing that is installed can."""
    if coding in (b"", b"identity"):
        return bytes
    if coding in (b"gzip", b"x-gzip", b"deflate"):
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress
    try:
        if coding == b"br":
            return importlib.import_module("brotli").Decompressor().process
        if coding == b"zstd":
            return importlib.import_module("zstandard").ZstdDecompressor().decompressobj().decompress
    except ImportError:
        pass
    return None
