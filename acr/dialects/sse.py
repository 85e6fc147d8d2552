"""Server-sent events, read incrementally from bytes cut anywhere."""

import re
from typing import NamedTuple

_line_end = re.compile(rb"\r\n|\n|\r")


class Event(NamedTuple):
    """One event: its name, "" for the default, and its data lines joined by newlines."""

    name: str
    data: str


class EventDecoder:
    """Bytes in, events out, as the WHATWG standard has it: CR, LF or CRLF, comments, fields in any order."""

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._data: list[str] = []
        self._begun = False

    def feed(self, chunk: bytes) -> list[Event]:
        """Events that `chunk` completes."""
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
        *lines, rest = _line_end.split(buffer)
        self._rest = rest + held
        events: list[Event] = []
        for line in lines:
            if not line:
                self._dispatch(events)
            else:
                self._field(line)
        return events

    def close(self) -> list[Event]:
        """What a stream that ends without its last blank line leaves. Lenient, as many clients are."""
        events = self.feed(b"\n\n") if self._rest or self._data else []
        return events

    def _field(self, line: bytes) -> None:
        field, _, value = line.partition(b":")
        if field == b"data":
            self._data.append(value.removeprefix(b" ").decode("utf-8", "replace"))
        elif field == b"event":
            self._name = value.removeprefix(b" ").decode("utf-8", "replace")

    def _dispatch(self, events: list[Event]) -> None:
        if self._data:
            events.append(Event(self._name, "\n".join(self._data)))
        self._name, self._data = "", []
