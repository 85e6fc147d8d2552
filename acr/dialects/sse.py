"""Server-sent events, read incrementally from bytes cut anywhere."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

_line_end = re.compile(rb"\r\n|\n|\r")


class Event(NamedTuple):
    """One event: its name, "" for the default, and its data lines joined by newlines."""

    name: str
    data: str


class EventDecoder:
    """Bytes in, events out, as the WHATWG standard has it: CR, LF or CRLF, comments, fields in any order.

    `wanted` spares the work on events that nobody will look at: an event counts if one of the patterns is
    found in one of its data lines. None wants all.
    """

    def __init__(self, wanted: Sequence[re.Pattern[bytes]] | None = None) -> None:
        self._wanted = wanted
        self._rest = b""
        self._name = b""
        self._data: list[bytes] = []
        self._begun = False

    def feed(self, chunk: bytes) -> list[Event]:
        """Take in a chunk and give the events that it completes."""
        buffer = self._rest + chunk
        if not self._begun and buffer:
            if b"\xef\xbb\xbf".startswith(buffer):
                self._rest = buffer
                return []
            buffer = buffer.removeprefix(b"\xef\xbb\xbf")
            self._begun = True
        if buffer.endswith(b"\r"):  # its LF may be in the next chunk
            held, buffer = b"\r", buffer[:-1]
        else:
            held = b""
        if b"\r" in buffer:
            *lines, rest = _line_end.split(buffer)
        else:
            *lines, rest = self._thinned(buffer).split(b"\n")
        self._rest = rest + held
        events: list[Event] = []
        data, name = self._data, self._name
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[6:] if line.startswith(b"data: ") else line[5:])
            elif not line:
                if data and (self._wanted is None or _holds(data, self._wanted)):
                    events.append(Event(name.decode("utf-8", "replace"), _text(data)))
                data, name = [], b""
            elif line.startswith(b"event:"):
                name = line[6:].removeprefix(b" ")
            elif line == b"data":
                data.append(b"")
        self._data, self._name = data, name
        return events

    def _thinned(self, buffer: bytes) -> bytes:
        """Lines that end in LF without most of the events that hold nothing wanted: for the usual stream one
        search tells that, instead of one for each line. The first event stays, for it may have begun before,
        and so does what comes after the last.
        """
        at, last = buffer.find(b"\n\n") + 2, buffer.rfind(b"\n\n") + 2
        if self._wanted is None or at >= last:
            return buffer
        kept = [buffer[:at]]
        found = [one.span() for pattern in self._wanted for one in pattern.finditer(buffer, at, last)]
        for first, after in sorted(found):
            if after > at:
                start = max(at, buffer.rfind(b"\n\n", at, first) + 2)
                end = buffer.find(b"\n\n", max(at, after), last)
                at = end + 2 if end >= 0 else last
                kept.append(buffer[start:at])
        kept.append(buffer[last:])
        return b"".join(kept)

    def close(self) -> list[Event]:
        """Give what a stream that ends without its last blank line leaves, as many clients do."""
        return self.feed(b"\n\n") if self._rest or self._data else []


def fields(data: str | bytes) -> dict[str, Any]:
    """The JSON object that the data of an event, or a document, is; empty for anything else."""
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError:  # stricter than what vendors write: NaN, lone surrogates
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            return {}
    return found if isinstance(found, dict) else {}


def _holds(lines: list[bytes], patterns: Sequence[re.Pattern[bytes]]) -> bool:
    for pattern in patterns:
        for line in lines:
            if pattern.search(line):
                return True
    return False


def _text(lines: list[bytes]) -> str:
    return (lines[0] if len(lines) == 1 else b"\n".join(lines)).decode("utf-8", "replace")
