"""Where things stand in a JSON text, so that one of them can be replaced and every other byte kept.

A body that is parsed and written anew is another body: `1e-07`, `1.0`, integers beyond 2**53, escapes,
key order and doubled keys all change, and with them provider caches and signatures. So nothing is
written anew. The C scanner of the standard library reads values and tells where each one ends.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from json.decoder import scanstring  # type: ignore[attr-defined]  # the C function, undocumented but stable
from typing import Any, NamedTuple

from acr.errors import ConversationError
from acr.text import clean

_scan: Any = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_space = re.compile(r"[ \t\n\r]*").match


class Span(NamedTuple):
    """A value and where its text stands: `text[start:end]`."""

    value: Any
    start: int
    end: int


class Member(NamedTuple):
    """A key of an object with its value: `text[start:end]` holds both, `text[value_start:end]` the value."""

    key: str
    value: Any
    start: int
    value_start: int
    end: int
    elements: list[Span] | None = None
    """Where the elements of an array stand, if that was asked for."""


class _Malformed(Exception):
    pass


def text_of(body: bytes) -> str:
    """Decode a JSON body. Strict, so that encoding the text gives the same bytes again.

    Raises `ConversationError` if it is not UTF-8.
    """
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise ConversationError("the body is not UTF-8") from None


def members(text: str, spread: str = "") -> list[Member]:
    """List the members of the object that `text` is, the elements of the array `spread` too.

    One pass, about as fast as `json.loads`. Raises `ConversationError` if `text` is no such object.
    """
    with _guarded():
        return _members(text, spread)


def elements(text: str, start: int) -> list[Span]:
    """List the elements of the array at `text[start]`. Raises `ConversationError` if there is none."""
    with _guarded():
        return _elements(text, start)[0]


@contextmanager
def _guarded() -> Iterator[None]:
    try:
        yield
    except (_Malformed, StopIteration, ValueError, RecursionError, IndexError):
        raise ConversationError("the body is not the JSON that ACR expects here") from None


def _members(text: str, spread: str) -> list[Member]:
    found: list[Member] = []
    at = _enter(text, _end(text, 0), "{")
    if text[at] == "}":
        return _finish(text, at, found)
    while True:
        if text[at] != '"':
            raise _Malformed
        start = at
        key, at = scanstring(text, at + 1, True)
        at = _enter(text, _end(text, at), ":")
        if key == spread and text[at] == "[":
            spans, end = _elements(text, at)
            found.append(Member(key, [span.value for span in spans], start, at, end, spans))
        else:
            value, end = _scan(text, at)
            found.append(Member(key, value, start, at, end))
        at = _end(text, end)
        if text[at] == "}":
            return _finish(text, at, found)
        at = _enter(text, at, ",")


def _elements(text: str, start: int) -> tuple[list[Span], int]:
    found: list[Span] = []
    at = _enter(text, start, "[")
    if text[at] == "]":
        return found, at + 1
    while True:
        value, end = _scan(text, at)
        found.append(Span(value, at, end))
        at = _end(text, end)
        if text[at] == "]":
            return found, at + 1
        at = _enter(text, at, ",")


def _end(text: str, at: int) -> int:
    return _space(text, at).end()  # type: ignore[union-attr]  # the pattern matches everywhere


def _enter(text: str, at: int, sign: str) -> int:
    if text[at] != sign:
        raise _Malformed
    return _end(text, at + 1)


def _finish(text: str, at: int, found: list[Member]) -> list[Member]:
    if _end(text, at + 1) != len(text):
        raise _Malformed
    return found


def replace(text: str, pieces: Iterable[tuple[int, int, str]]) -> str:
    """`text` with each `(start, end, new)` replaced. Pieces must not overlap."""
    result: list[str] = []
    last = 0
    for start, end, new in sorted(pieces):
        result += (text[last:start], new)
        last = end
    result.append(text[last:])
    return "".join(result)


def without(text: str, found: list[Member], key: str) -> str:
    """`text` with every member named `key` taken out, and one comma with each."""
    last = max((index for index, member in enumerate(found) if member.key != key), default=-1)
    if last < 0:
        return replace(text, [(found[0].start, found[-1].end, "")]) if found else text
    pieces = [
        (member.start, found[index + 1].start, "")
        for index, member in enumerate(found[:last])
        if member.key == key
    ]
    return replace(text, [*pieces, (found[last].end, found[-1].end, "")])


def dumps(value: Any) -> str:
    """JSON for text that ACR writes itself: any string goes, lone surrogates become U+FFFD."""
    return clean(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
