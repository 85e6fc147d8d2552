"""Reads answers in the Responses format: typed events, the last of which holds the whole answer."""

import json
import re
from typing import Any

from acr.dialects.chat_reader import usage
from acr.dialects.sse import fields
from acr.trace import Answer, Choice, Usage

LAST = (re.compile(rb'"type"\s*:\s*"(?:response\.(?:completed|incomplete|failed)|error)"'),)


class ResponsesReader:
    def __init__(self, *, text: bool) -> None:
        self._text = text
        self.wanted = None if text else LAST
        self._deltas: dict[str, list[str]] = {"text": [], "reasoning": []}
        self._answer: dict[str, Any] | None = None
        self._error: str | None = None

    def event(self, name: str, data: str) -> None:
        event = fields(data)
        if not event:
            return
        kind, delta = str(event.get("type") or name), event.get("delta")
        if kind == "error":
            self._error = "error reported by the upstream"
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            self._take(event.get("response"))
        elif self._text and isinstance(delta, str):
            if kind == "response.output_text.delta":
                self._deltas["text"].append(delta)
            elif kind.startswith("response.reasoning"):
                self._deltas["reasoning"].append(delta)

    def document(self, body: bytes) -> None:
        try:
            self._take(json.loads(body))
        except (ValueError, RecursionError):
            return

    def answer(self) -> Answer:
        whole = self._answer
        if whole is None:
            text, reasoning = ("".join(self._deltas[key]) or None for key in ("text", "reasoning"))
            choices = [Choice(text=text, reasoning=reasoning)] if text or reasoning else []
            return Answer(choices=choices, error=self._error)
        status = whole.get("status")
        return Answer(
            complete=status in ("completed", "incomplete") and self._error is None,
            choices=[self._choice(whole)],
            usage=self._usage(whole),
            error=self._error,
        )

    def _take(self, response: Any) -> None:
        if not isinstance(response, dict) or "output" not in response:
            self._error = "error reported by the upstream"
            return
        self._answer = response
        if response.get("error") or response.get("status") == "failed":
            self._error = "error reported by the upstream"

    def _choice(self, whole: dict[str, Any]) -> Choice:
        details = whole.get("incomplete_details")
        reason = details.get("reason") if isinstance(details, dict) else None
        finish = reason if isinstance(reason, str) else whole.get("status")
        choice = Choice(finish=finish if isinstance(finish, str) else None)
        if not self._text:
            return choice
        output = whole.get("output")
        items = [item for item in (output if isinstance(output, list) else ()) if isinstance(item, dict)]
        choice.text = "".join(texts(items, "message", "content"))
        choice.reasoning = "".join(texts(items, "reasoning", "summary")) or None
        choice.tool_calls = [
            {
                "id": item.get("call_id"),
                "type": "function",
                "function": {"name": item.get("name"), "arguments": item.get("arguments")},
            }
            for item in items
            if item.get("type") == "function_call"
        ]
        return choice

    def _usage(self, whole: dict[str, Any]) -> Usage | None:
        return usage(whole["usage"]) if isinstance(whole.get("usage"), dict) else None


def texts(items: list[dict[str, Any]], kind: str, key: str) -> list[str]:
    """Texts of the parts under `key` of the items of that kind."""
    found: list[str] = []
    for item in items:
        inner = item.get(key) if item.get("type") == kind else None
        parts = [part for part in (inner if isinstance(inner, list) else ()) if isinstance(part, dict)]
        found += [part["text"] for part in parts if isinstance(part.get("text"), str)]
    return found
