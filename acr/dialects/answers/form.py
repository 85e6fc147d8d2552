"""What the three forms have in common."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Fields = Mapping[str, Any]
Check = Callable[[Any], bool]
Dumps = Callable[[Any], bytes]


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be written."""

    text: str
    id: str
    model: str
    time: int
    """Seconds since the epoch."""
    asked: int
    """Tokens of the conversation, estimated."""
    said: int
    """Tokens of the question, estimated."""
    fields: Fields
    """The request's own, which some answers repeat."""


@dataclass(frozen=True, slots=True)
class Form:
    """How one API writes an answer, and which of its fields leave the answer free."""

    harmless: frozenset[str]
    """Fields that say nothing about the form of an answer."""
    checks: Mapping[str, Check]
    """Fields that do, and the values that leave it free."""
    needed: Mapping[str, Check]
    """Fields without which there is no answer to write."""
    limits: tuple[str, ...]
    """Fields that say how many tokens an answer may have."""
    stop: str
    """The field with the sequences at which an answer ends."""
    whole: Callable[[Question], Any]
    stream: Callable[[Question, Dumps], Iterator[bytes]]

    def free(self, fields: Fields) -> bool:
        """Whether a plain text is a valid answer."""
        return all(name in fields and check(fields[name]) for name, check in self.needed.items()) and all(
            name in self.harmless or name in self.needed or (name in self.checks and self.checks[name](value))
            for name, value in fields.items()
        )

    def room(self, fields: Fields) -> float:
        """Tokens that an answer may have."""
        limits = [fields[name] for name in self.limits if isinstance(fields.get(name), int | float)]
        return min(limits, default=float("inf"))

    def stops(self, fields: Fields, text: str) -> bool:
        """Whether the text would be cut by a stop sequence."""
        given = fields.get(self.stop) or []
        sequences = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        return any(isinstance(sequence, str) and sequence in text for sequence in sequences)


def absent(value: Any) -> bool:
    """Null, false, empty or zero."""
    return not value


def one_of(*values: Any) -> Check:
    return lambda value: value in values


def plain_text(value: Any) -> bool:
    """No format asked for, or that of text."""
    return value is None or (isinstance(value, dict) and value.get("type") == "text")
