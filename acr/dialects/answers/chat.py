"""Chat Completions: one choice, or its chunks."""

from collections.abc import Iterator
from typing import Any

from acr.dialects.answers.form import Dumps, Form, Question, absent, one_of, plain_text


def whole(question: Question) -> dict[str, Any]:
    message = {"role": "assistant", "content": question.text, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return {**_head(question, "chat.completion"), "choices": [choice], "usage": _usage(question)}


def stream(question: Question, dumps: Dumps) -> Iterator[bytes]:
    head = _head(question, "chat.completion.chunk")
    options = question.fields.get("stream_options")
    with_usage = isinstance(options, dict) and options.get("include_usage") is True
    extra = {"usage": None} if with_usage else {}
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": "", "refusal": None}, None),
        ({"content": question.text}, None),
        ({}, "stop"),
    ]
    chunks: list[dict[str, Any]] = [
        {
            **head,
            "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
            **extra,
        }
        for delta, finish in deltas
    ]
    if with_usage:
        chunks.append({**head, "choices": [], "usage": _usage(question)})
    for chunk in chunks:
        yield b"data: " + dumps(chunk) + b"\n\n"
    yield b"data: [DONE]\n\n"


def _head(question: Question, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{question.id}",
        "object": kind,
        "created": question.time,
        "model": question.model,
    }


def _usage(question: Question) -> dict[str, Any]:
    return {
        "prompt_tokens": question.asked,
        "completion_tokens": question.said,
        "total_tokens": question.asked + question.said,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


FORM = Form(
    harmless=frozenset(
        "model messages stream stream_options temperature top_p top_k min_p seed user metadata stop"
        " max_tokens max_completion_tokens presence_penalty frequency_penalty repetition_penalty"
        " logit_bias verbosity reasoning_effort service_tier safety_identifier prompt_cache_key"
        " prompt_cache_retention".split()
    ),
    checks={
        "n": one_of(None, 1),
        "tools": absent,
        "functions": absent,
        "tool_choice": one_of(None, "auto", "none"),
        "function_call": one_of(None, "auto", "none"),
        "parallel_tool_calls": lambda value: True,
        "response_format": plain_text,
        "logprobs": absent,
        "top_logprobs": absent,
        "modalities": one_of(None, ["text"]),
        "audio": absent,
        "prediction": absent,
        "store": absent,
        "web_search_options": lambda value: value is None,
    },
    needed={},
    limits=("max_tokens", "max_completion_tokens"),
    stop="stop",
    whole=whole,
    stream=stream,
)
