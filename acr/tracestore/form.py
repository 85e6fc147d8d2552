"""A trace as it is stored: its numbers and names in one JSON text, its message text in another."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import uuid4

from acr.trace import TEXT, Trace

LARGEST = 1024 * 1024
"""Characters of a trace's text that is stored. What is longer is stored without: making JSON of it takes a
while, in which no other thread runs."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One row. `brief` and `text` are ASCII: what clients send may hold lone surrogates and zeros."""

    uid: str
    """Names this row alone, so that a batch whose success was never heard of can be written again."""
    id: str
    time: float
    """Seconds since 1970."""
    decision: str
    operator: str | None
    brief: str
    text: str | None
    unredacted: bool = False
    """Whether text was left out because it could not be redacted, or was too long."""

    @property
    def size(self) -> int:
        """Bytes of its content."""
        return len(self.brief) + len(self.text or "")


def stored(trace: Trace, redact: Callable[[str], str]) -> Stored:
    """The row of a trace. Where `redact` fails, or gives anything but text, the text is left out."""
    text, unredacted = None, False
    if trace.messages is not None:
        whole = trace.model_dump(mode="json", include=set(TEXT))
        try:
            text = json.dumps(
                _walk(whole, cache(redact), set(TEXT))
            )  # the same words stand in several places
        except Exception:  # a hook of somebody else's: whatever it raises, nothing unredacted is written
            unredacted = True
        if text is not None and len(text) > LARGEST:
            text, unredacted = None, True
    return Stored(
        uid=uuid4().hex,
        id=trace.id,
        time=trace.time.timestamp(),
        decision=trace.decision,
        operator=trace.operator,
        brief=json.dumps(trace.model_dump(mode="json", exclude=TEXT)),
        text=text,
        unredacted=unredacted,
    )


def whole(brief: str, text: str | None) -> Trace:
    """The trace of a row."""
    return Trace.model_validate({**json.loads(brief), **(json.loads(text) if text else {})})


def _walk(value: Any, redact: Callable[[str], str], plain: set[str]) -> Any:
    """The value with `redact` applied to every text in it, names of fields too: tools' arguments are text.

    `plain` are the names that are ACR's own.
    """
    if isinstance(value, str):
        made = redact(value)
        if not isinstance(made, str):
            raise TypeError("a redactor gives text")
        return made
    if isinstance(value, list):
        return [_walk(each, redact, set()) for each in value]
    if isinstance(value, dict):
        return {
            key if key in plain or key in _NAMES else _walk(key, redact, set()): each
            if key in _FIXED
            else _walk(each, redact, set())
            for key, each in value.items()
        }
    return value


_NAMES = frozenset(
    "role content type text id name tool_calls function arguments tool_call_id index reasoning finish "
    "choices usage edit turn before status complete error entropy input output items".split()
)
"""Names of fields that are in nearly every message, and no client's data."""
_FIXED = frozenset("role type edit turn before finish id tool_call_id tool_use_id call_id".split())
"""Fields whose values are names too: a trace must stay readable."""
