"""Answers in the forms of the vendors' APIs, for tests that speak to the proxy with the vendors' own clients."""

import json
from typing import Any

from support.upstream import Received, Reply, completion, deltas

RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1700000000,
    "model": "demo-model",
    "status": "completed",
    "output": [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "ok", "annotations": []}],
        }
    ],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    },
}
ITEM: dict[str, Any] = RESPONSE["output"][0]
MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "demo-model",
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
MESSAGE_EVENTS: list[dict[str, Any]] = [
    {"type": "message_start", "message": {**MESSAGE, "content": [], "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 1}},
    {"type": "message_stop"},
]  # fmt: skip


def response(text: str = "ok") -> dict[str, Any]:
    return {**RESPONSE, "output": [{**ITEM, "content": [{**ITEM["content"][0], "text": text}]}]}


def response_events(text: str = "ok") -> list[dict[str, Any]]:
    at = {"item_id": "msg_1", "output_index": 0}
    part = {**ITEM["content"][0], "text": text}
    begun = {**ITEM, "content": [], "status": "in_progress"}
    return [
        {"type": "response.created", "sequence_number": 0, "response": {**RESPONSE, "output": [], "status": "in_progress"}},
        {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": begun},
        {"type": "response.content_part.added", "sequence_number": 2, **at, "content_index": 0, "part": {**part, "text": ""}},
        {"type": "response.output_text.delta", "sequence_number": 3, **at, "content_index": 0, "delta": text, "logprobs": []},
        {"type": "response.output_text.done", "sequence_number": 4, **at, "content_index": 0, "text": text, "logprobs": []},
        {"type": "response.content_part.done", "sequence_number": 5, **at, "content_index": 0, "part": part},
        {"type": "response.output_item.done", "sequence_number": 6, "output_index": 0, "item": {**ITEM, "content": [part]}},
        {"type": "response.completed", "sequence_number": 7, "response": response(text)},
    ]  # fmt: skip


def named_events(*events: dict[str, Any]) -> Reply:
    """Events that carry their type as their name, as Responses and Messages have them."""
    reply = Reply.of_events(*events, done=False)
    chunks = [b"event: %b\n%b" % (e["type"].encode(), c) for e, c in zip(events, reply.chunks, strict=True)]
    return Reply(chunks, headers=reply.headers)


def any_api(received: Received) -> Reply:
    """Say "ok" by whatever API was asked, streamed if that was asked; a JSON object where a schema is given."""
    asked = json.loads(received.body or b"{}")
    text = "ok"
    if "response_format" in asked or "format" in (asked.get("text") or {}):
        text = '{"name":"Science Fair","date":"Friday","participants":["Alice","Bob"]}'
    path, streamed = received.target.partition("?")[0], asked.get("stream") is True
    if path == "/v1/responses":
        return named_events(*response_events(text)) if streamed else Reply.of_json(response(text))
    if path == "/v1/messages":
        return named_events(*MESSAGE_EVENTS) if streamed else Reply.of_json(MESSAGE)
    return Reply.of_events(*deltas(text)) if streamed else Reply.of_json(completion(text))
