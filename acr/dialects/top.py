"""The outermost object of a request body, read once, and ACR's own field taken out of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import orjson

from acr.conversation import Conversation
from acr.dialects import Request
from acr.dialects.splice import dumps, members, replace, text_of, without
from acr.errors import ConversationError

OWN = "acr"


@dataclass(frozen=True, slots=True)
class Top:
    body: bytes
    """The client's bytes without the field `acr`."""
    times: int
    """How often the client's own text has the field that holds the conversation."""
    fields: Mapping[str, Any]
    history: str
    """Name of the field that holds the conversation."""

    @classmethod
    def of(cls, body: bytes, history: str) -> Self:
        """Read a body. Raises `ConversationError` if it is no JSON object."""
        fields = _simple(body, history)
        if fields is not None:
            return cls(body, 1, fields, history)
        text = text_of(body)
        found = members(text)
        fields = {member.key: member.value for member in found}
        if OWN in fields:
            body = without(text, found, OWN).encode()
        return cls(body, sum(member.key == history for member in found), fields, history)

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


def _simple(body: bytes, history: str) -> Mapping[str, Any] | None:
    """The fields of most bodies, three times as fast: the history is in it once, and no field of ACR's own.

    None where that cannot be told without knowing where things stand, or `orjson` does not take the body.
    """
    if body.count(b'"%b"' % history.encode()) != 1 or b"\\u00" in body:  # a name may be spelled with escapes
        return None
    try:
        fields = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return fields if isinstance(fields, dict) and history in fields and OWN not in fields else None


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


def one_list(top: Top) -> str:
    """Why the history cannot be told, or nothing."""
    if top.times != 1:
        return f"not one list of {top.history}"
    return "" if isinstance(top.fields[top.history], list) else f"{top.history} is not a list"


def with_model(body: bytes, name: str) -> bytes:
    """The same body for another model. Raises `ConversationError` if it does not name exactly one."""
    text = text_of(body)
    found = [member for member in members(text) if member.key == "model"]
    if len(found) != 1:
        raise ConversationError("the body does not name one model")
    return replace(text, [(found[0].value_start, found[0].end, dumps(name))]).encode()
