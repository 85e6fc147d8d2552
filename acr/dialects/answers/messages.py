"""Messages: one text block, or the events in which it comes."""

from collections.abc import Iterator
from typing import Any

from acr.dialects.answers.form import Dumps, Form, Question, absent, one_of


def whole(question: Question) -> dict[str, Any]:
    content = [{"type": "text", "text": question.text}]
    return {**_head(question), "content": content, "stop_reason": "end_turn", "usage": _usage(question)}


def stream(question: Question, dumps: Dumps) -> Iterator[bytes]:
    opened = {**_head(question), "content": [], "stop_reason": None}
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    for event in (
        {"type": "message_start", "message": {**opened, "usage": {**_usage(question), "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": question.text},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": question.said}},
        {"type": "message_stop"},
    ):
        yield b"event: %b\ndata: %b\n\n" % (str(event["type"]).encode(), dumps(event))


def _head(question: Question) -> dict[str, Any]:
    return {
        "id": f"msg_{question.id}",
        "type": "message",
        "role": "assistant",
        "model": question.model,
        "stop_sequence": None,
    }


def _usage(question: Question) -> dict[str, Any]:
    return {
        "input_tokens": question.asked,
        "output_tokens": question.said,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }


FORM = Form(
    harmless=frozenset(
        "model messages system stream temperature top_p top_k metadata stop_sequences service_tier"
        " cache_control inference_geo".split()
    ),
    checks={
        "tools": absent,
        "tool_choice": absent,
        "mcp_servers": absent,
        "container": absent,
        "context_management": absent,
        "output_format": absent,
        "output_config": lambda value: not value or (isinstance(value, dict) and set(value) <= {"effort"}),
        "thinking": one_of(None, {"type": "disabled"}),
    },
    needed={"max_tokens": lambda value: isinstance(value, int)},  # counting tokens has none
    limits=("max_tokens",),
    stop="stop_sequences",
    whole=whole,
    stream=stream,
)
