"""Server-sent events, read incrementally from bytes cut anywhere."""

import json
import re
from typing import Any, NamedTuple

_line_end = re.compile(rb"\r\n|\n|\r")


class Event(NamedTuple):
    """One event: its name, "" for the default, and its data lines joined by newlines."""

    name: str
    data: str


class EventDecoder:
    """Bytes in, events out, as the WHATWG standard has it: CR, LF or CRLF, comments, fields in any order.

    `wanted` spares the work on events that nobody will look at: an event counts if the pattern is found
    in one of its data lines.
    """

    def __init__(self, wanted: re.Pattern[bytes] | None = None) -> None:
        self._wanted = wanted.search if wanted else None
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
        *lines, rest = _line_end.split(buffer) if b"\r" in buffer else buffer.split(b"\n")
        self._rest = rest + held
        events: list[Event] = []
        data, name = self._data, self._name
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[6:] if line.startswith(b"data: ") else line[5:])
            elif not line:
                if data and (self._wanted is None or any(map(self._wanted, data))):
                    events.append(Event(name.decode("utf-8", "replace"), _text(data)))
                data, name = [], b""
            elif line.startswith(b"event:"):
                name = line[6:].removeprefix(b" ")
            elif line == b"data":
                data.append(b"")
        self._data, self._name = data, name
        return events

    def close(self) -> list[Event]:
        """Give what a stream that ends without its last blank line leaves, as many clients do."""
        return self.feed(b"\n\n") if self._rest or self._data else []


def fields(data: str | bytes) -> dict[str, Any]:
    """The JSON object that the data of an event, or a document, is; empty for anything else."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(lines: list[bytes]) -> str:
    return (lines[0] if len(lines) == 1 else b"\n".join(lines)).decode("utf-8", "replace")
