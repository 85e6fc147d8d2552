"""Asking for ACR by the name of the model: `acr-<model>`, or `acr-<operator>-<model>`.

For clients in which a person can choose a model, and neither headers nor fields of the body.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from acr.decision import SEQUENCE
from acr.dialects import Dialect, Request
from acr.dialects.splice import dumps, members, text_of
from acr.dialects.splice import replace as splice
from acr.dialects.top import with_model
from acr.errors import ConversationError

PREFIX = "acr-"


def named(request: Request, operators: Iterable[str]) -> tuple[str | None, str] | None:
    """The operator, if one is named, and the model that is meant; None if the name is an ordinary one."""
    rest = request.model.removeprefix(PREFIX)
    if rest == request.model or not rest:
        return None
    known = "|".join(map(re.escape, sorted(operators, key=len, reverse=True)))
    each = rf"(?:{known})"
    found = re.match(rf"({each}(?:{re.escape(SEQUENCE)}{each})*)-(?=.)", rest, re.DOTALL) if known else None
    return (found[1], rest[found.end() :]) if found else (None, rest)


def renamed(dialect: Dialect, request: Request, model: str) -> Request:
    """The same request for `model`; as it is if its body does not name exactly one."""
    try:
        body = with_model(request.body, model)
    except ConversationError:
        return request
    return replace(dialect.parse(body), controls=request.controls)


def listed(body: bytes) -> bytes:
    """A list of models with an `acr-` name for each; as it is if it cannot be read."""
    try:
        text = text_of(body)
        (data,) = (member for member in members(text, spread="data") if member.key == "data")
    except (ConversationError, ValueError):
        return body
    pieces = []
    for element in data.elements or ():
        own = text[element.start : element.end]
        ids = [m for m in members(own) if m.key == "id"] if isinstance(element.value, dict) else []
        if len(ids) == 1 and isinstance(ids[0].value, str):
            pieces.append("," + splice(own, [(ids[0].value_start, ids[0].end, dumps(PREFIX + ids[0].value))]))
    at = data.elements[-1].end if data.elements else len(text)
    return splice(text, [(at, at, "".join(pieces))]).encode()
