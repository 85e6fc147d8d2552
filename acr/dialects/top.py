"""The outermost object of a request body, read once, and ACR's own field taken out of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import orjson

from acr.conversation import Conversation
from acr.dialects import Request
from acr.dialects.splice import Member, dumps, members, replace, text_of, without
from acr.errors import ConversationError

OWN = "acr"


@dataclass(frozen=True, slots=True)
class Top:
    body: bytes
    """The client's bytes without the field `acr`."""
    members: Sequence[Member]
    """As they stood in the client's own text."""
    fields: Mapping[str, Any]
    history: str
    """Name of the field that holds the conversation."""

    @classmethod
    def of(cls, body: bytes, history: str) -> Self:
        """Read a body. Raises `ConversationError` if it is no JSON object."""
        text = text_of(body)
        found = members(text)
        fields = {member.key: member.value for member in found}
        if OWN in fields:
            body = without(text, found, OWN).encode()
        return cls(body, found, fields, history)

    def request(self, read: Callable[[Any], Conversation] | None, why: str) -> Request:
        """The request, with the conversation that `read` makes of its history unless `why` forbids."""
        conversation = None
        if read is None:
            why = why or "not read"
        elif not why:
            try:
                conversation = read(self.fields[self.history])
            except ConversationError as error:
                why = str(error)
        model, controls = self.fields.get("model"), self.fields.get(OWN)
        return Request(
            self.body,
            conversation,
            why,
            model=model if isinstance(model, str) else "",
            stream=self.fields.get("stream") is True,
            controls=controls if isinstance(controls, dict) else None,
        )


def glance(body: bytes) -> Request | None:
    """What stands beside the history, for a request that nothing shall be done with: one read tells it.

    None where that does not tell all: a field of ACR's own is to be taken out, or `orjson`, which is stricter
    than the reader of `Top`, does not take the body.
    """
    try:
        fields = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict) or OWN in fields:
        return None
    model = fields.get("model")
    return Request(
        body,
        why="not read",
        model=model if isinstance(model, str) else "",
        stream=fields.get("stream") is True,
    )


def one_list(top: Top, name: str) -> str:
    """Why the history cannot be told, or nothing."""
    if sum(member.key == name for member in top.members) != 1:
        return f"not one list of {name}"
    return "" if isinstance(top.fields[name], list) else f"{name} is not a list"


def with_model(body: bytes, name: str) -> bytes:
    """The same body for another model. Raises `ConversationError` if it does not name exactly one."""
    text = text_of(body)
    found = [member for member in members(text) if member.key == "model"]
    if len(found) != 1:
        raise ConversationError("the body does not name one model")
    return replace(text, [(found[0].value_start, found[0].end, dumps(name))]).encode()
