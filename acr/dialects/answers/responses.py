"""Responses: one message in a response object, or the events in which it comes.

Only where the client keeps the history (`store` is false): a stored answer is one that the next request may
name by its id, and the provider would not know ours.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any

from acr.dialects.answers.form import Dumps, Form, Question, absent, one_of, plain_text

ECHOED = ("instructions", "max_output_tokens", "metadata", "reasoning", "temperature", "top_p", "truncation")
"""Fields of the request that a response repeats."""
DEFAULTS: dict[str, Any] = {"metadata": {}, "temperature": 1.0, "top_p": 1.0, "truncation": "disabled"}


def whole(question: Question) -> dict[str, Any]:
    return _response(question, "completed", [_message(question, "completed")], _usage(question))


def stream(question: Question, dumps: Dumps) -> Iterator[bytes]:
    numbers = count()
    place = {"item_id": _item(question), "output_index": 0, "content_index": 0}
    opened = _response(question, "in_progress", [], None)
    begun = {**_message(question, "in_progress"), "content": []}
    events: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": opened}),
        ("response.in_progress", {"response": opened}),
        ("response.output_item.added", {"output_index": 0, "item": begun}),
        ("response.content_part.added", {**place, "part": _part("")}),
        ("response.output_text.delta", {**place, "delta": question.text, "logprobs": []}),
        ("response.output_text.done", {**place, "text": question.text, "logprobs": []}),
        ("response.content_part.done", {**place, "part": _part(question.text)}),
        ("response.output_item.done", {"output_index": 0, "item": _message(question, "completed")}),
        ("response.completed", {"response": whole(question)}),
    ]
    for name, fields in events:
        event = {"type": name, "sequence_number": next(numbers), **fields}
        yield b"event: %b\ndata: %b\n\n" % (name.encode(), dumps(event))


def _response(question: Question, status: str, output: list[Any], usage: Any) -> dict[str, Any]:
    given = {name: question.fields.get(name) for name in ECHOED}
    return {
        "id": f"resp_{question.id}",
        "object": "response",
        "created_at": question.time,
        "status": status,
        "background": False,
        "error": None,
        "incomplete_details": None,
        "model": question.model,
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "service_tier": "default",
        "store": False,
        "text": question.fields.get("text") or {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "usage": usage,
        "user": None,
        **{name: DEFAULTS.get(name) if value is None else value for name, value in given.items()},
    }


def _item(question: Question) -> str:
    return f"msg_{question.id}"


def _message(question: Question, status: str) -> dict[str, Any]:
    return {
        "id": _item(question),
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": [_part(question.text)],
    }


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _usage(question: Question) -> dict[str, Any]:
    return {
        "input_tokens": question.asked,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": question.said,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": question.asked + question.said,
    }


FORM = Form(
    harmless=frozenset(
        "model input instructions stream stream_options temperature top_p max_output_tokens user metadata"
        " reasoning truncation service_tier safety_identifier prompt_cache_key prompt_cache_retention".split()
    ),
    checks={
        "tools": absent,
        "tool_choice": one_of(None, "auto", "none"),
        "parallel_tool_calls": lambda value: True,
        "include": absent,
        "top_logprobs": absent,
        "max_tool_calls": lambda value: True,
        "text": lambda value: not value or (isinstance(value, dict) and plain_text(value.get("format"))),
        "background": absent,
        "previous_response_id": absent,
        "conversation": absent,
        "prompt": absent,
        "context_management": absent,
    },
    needed={"store": lambda value: value is False},
    limits=("max_output_tokens",),
    stop="stop",
    whole=whole,
    stream=stream,
)
