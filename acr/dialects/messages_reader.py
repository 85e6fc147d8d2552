"""Reads answers in the Messages format: named events, blocks that come in pieces."""

import json
import re
from typing import Any

from acr.dialects.sse import fields
from acr.trace import Answer, Choice, Usage

OUTCOME = (re.compile(rb'"type"\s*:\s*"(?:message_(?:start|delta|stop)|error)"'),)


class MessagesReader:
    def __init__(self, *, text: bool) -> None:
        self._text = text
        self.wanted = None if text else OUTCOME
        self._blocks: dict[int, dict[str, Any]] = {}
        self._usage: dict[str, Any] = {}
        self._finish: str | None = None
        self._done = False
        self._error: str | None = None

    def event(self, name: str, data: str) -> None:
        event = fields(data)
        if not event:
            return
        kind, index = str(event.get("type") or name), event.get("index")
        inner = event.get("message" if kind == "message_start" else "delta")
        if kind == "error":
            self._error = "error reported by the upstream"
        elif kind == "message_stop":
            self._done = True
        elif kind in ("message_start", "message_delta"):
            self._head(event, inner if isinstance(inner, dict) else {})
        elif self._text and isinstance(index, int):
            if kind == "content_block_start" and isinstance(event.get("content_block"), dict):
                self._blocks[index] = {**event["content_block"], "pieces": []}
            elif kind == "content_block_delta" and isinstance(inner, dict):
                self._piece(index, inner)

    def document(self, body: bytes) -> None:
        whole = fields(body)
        if whole.get("type") != "message":
            return
        self._head(whole, whole)
        self._done = True
        content = whole.get("content")
        if self._text and isinstance(content, list):
            self._blocks = {i: block for i, block in enumerate(content) if isinstance(block, dict)}

    def answer(self) -> Answer:
        blocks = [block for _, block in sorted(self._blocks.items())]
        choice = Choice(finish=self._finish)
        if self._text:
            choice.text = "".join(_text(block, "text") for block in blocks)
            choice.reasoning = "".join(_text(block, "thinking") for block in blocks) or None
            choice.tool_calls = [
                {"id": block.get("id"), "type": "function", "function": _function(block)}
                for block in blocks
                if block.get("type") == "tool_use"
            ]
        seen = self._finish is not None or blocks or self._usage
        return Answer(
            complete=self._done and self._error is None,
            choices=[choice] if seen else [],
            usage=_usage(self._usage),
            error=self._error,
        )

    def _head(self, event: dict[str, Any], inner: dict[str, Any]) -> None:
        for source in (inner.get("usage"), event.get("usage")):
            if isinstance(source, dict):
                self._usage.update({k: v for k, v in source.items() if v is not None})
        if isinstance(inner.get("stop_reason"), str):
            self._finish = inner["stop_reason"]

    def _piece(self, index: int, delta: dict[str, Any]) -> None:
        pieces = self._blocks.setdefault(index, {"type": "text", "pieces": []})["pieces"]
        for key in ("text", "thinking", "partial_json"):
            if isinstance(delta.get(key), str):
                pieces.append(delta[key])


def _text(block: dict[str, Any], kind: str) -> str:
    if block.get("type") != kind:
        return ""
    whole = block.get(kind)
    return (whole if isinstance(whole, str) else "") + "".join(block.get("pieces", ()))


def _function(block: dict[str, Any]) -> dict[str, Any]:
    arguments = "".join(block.get("pieces", ())) or json.dumps(block.get("input") or {})
    return {"name": block.get("name"), "arguments": arguments}


def _usage(reported: dict[str, Any]) -> Usage | None:
    """Anthropic counts cached tokens beside the input; here, as with OpenAI, they are part of the prompt."""
    if not reported:
        return None

    def number(key: str) -> int | None:
        value = reported.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    fresh, output = number("input_tokens"), number("output_tokens")
    cached, stored = number("cache_read_input_tokens"), number("cache_creation_input_tokens")
    prompt = None if fresh is None else fresh + (cached or 0) + (stored or 0)
    total = None if prompt is None or output is None else prompt + output
    return Usage(prompt_tokens=prompt, completion_tokens=output, total_tokens=total, cached_tokens=cached)
