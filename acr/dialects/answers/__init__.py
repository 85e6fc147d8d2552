"""Answers of ACR's own, in the form that the client asked for: one question, streamed or whole.

A question can stand in for an answer only where the request leaves it free: no tools, no schema, no
log-probabilities. So each form names the fields under which a plain text is a valid answer, and any other
field, one that ACR does not know included, speaks against it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from time import time
from typing import Any

from acr import tokens
from acr.conversation import Conversation
from acr.dialects import Request
from acr.dialects.answers import chat, messages, responses
from acr.dialects.answers.form import Form, Question

FORMS: Mapping[str, Form] = {"chat": chat.FORM, "messages": messages.FORM, "responses": responses.FORM}
"""By name of the dialect."""


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as it goes over the wire."""

    body: bytes
    content_type: bytes


def allowed(dialect: str, request: Request) -> bool:
    """Whether a question would be a valid answer to this request, whatever its text."""
    form = FORMS.get(dialect)
    fields = _fields(request)
    return form is not None and fields is not None and form.free(fields)


def write(dialect: str, request: Request, conversation: Conversation, text: str, id: str) -> Written | None:
    """The answer `text` to that request; None if the client's limits leave no room for it.

    `usage` has ACR's own counts of what was asked and said, as if a model had been asked.
    """
    form, fields = FORMS[dialect], _fields(request)
    if fields is None or form.stops(fields, text):
        return None
    question = Question(
        text=text,
        id=id,
        model=request.model,
        time=int(time()),
        asked=tokens.count_conversation(conversation),
        said=tokens.count(text),
        fields=fields,
    )
    if question.said > form.room(fields):
        return None
    if not request.stream:
        return Written(dumps(form.whole(question)), b"application/json")
    return Written(b"".join(form.stream(question, dumps)), b"text/event-stream; charset=utf-8")


def dumps(value: Any) -> bytes:
    """JSON in ASCII: a question quoted from the conversation may hold lone surrogates."""
    return json.dumps(value, separators=(",", ":")).encode()


def _fields(request: Request) -> dict[str, Any] | None:
    try:
        fields = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None
