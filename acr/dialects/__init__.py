"""Dialects: how a conversation is written in each vendor's requests and answers.

A dialect is one file: its routes, `parse`, `patch`, its errors and a reader of its answers. The route
chooses the dialect. Adding one is adding a file and naming it in `DIALECTS`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from acr.conversation import Conversation
from acr.trace import Answer


@dataclass(frozen=True, slots=True)
class Request:
    """What ACR read in a request body."""

    body: bytes
    """What goes upstream if nothing is done: the client's own bytes, without ACR's own field."""
    conversation: Conversation | None = None
    """None if ACR must leave the request alone for a reason that `why` gives."""
    why: str = ""
    """One line, fit for a header, without text of the client."""
    model: str = ""
    stream: bool = False
    controls: Mapping[str, Any] | None = None
    """The field `acr` of the body, whatever it held, if it was an object."""


class Reader(Protocol):
    """Reads a copy of an answer. Never raises for any bytes; what it cannot read it leaves out."""

    @property
    def wanted(self) -> Sequence[re.Pattern[bytes]] | None:
        """Patterns one of which an event must hold to be worth reading; None for all. Text is most of a
        stream, and mostly nobody wants it: then only the events that tell how the answer ended are decoded.
        """
        ...

    def event(self, name: str, data: str) -> None:
        """Take in one server-sent event."""
        ...

    def document(self, body: bytes) -> None:
        """Take in a whole answer that was not streamed."""
        ...

    def answer(self) -> Answer:
        """Tell what was read so far."""
        ...


class Dialect(Protocol):
    """One wire format."""

    @property
    def name(self) -> str: ...

    @property
    def paths(self) -> frozenset[str]:
        """Paths whose POST bodies hold a conversation."""
        ...

    def parse(self, body: bytes, *, history: bool = True) -> Request:
        """Read a body. Never raises: what cannot be read has no conversation, and goes on as it came.

        Without `history`, only what stands beside it is read, and there is no conversation.
        """
        ...

    def patch(self, request: Request, after: Conversation) -> bytes:
        """Write `after` into the request's body; every byte that tells nothing of a change stays.

        Raises `EditError` if the body cannot hold the change.
        """
        ...

    def reader(self, *, text: bool) -> Reader:
        """Make a reader. Text of the model is kept only if `text`."""
        ...

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        """Shape an error of ACR's own as this dialect's clients expect it."""
        ...
