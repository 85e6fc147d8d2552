"""Reads answers in the Chat Completions format, streamed or whole."""

import math
import re
from typing import Any

from acr.dialects.sse import fields
from acr.text import digest
from acr.trace import Answer, Choice, Usage

OUTCOME = (
    re.compile(rb'finish_reason"\s*:\s*"'),
    re.compile(rb'usage"\s*:\s*\{'),
    re.compile(rb'logprobs"\s*:\s*\{'),
    re.compile(rb'"error"'),
    re.compile(rb"\[DONE\]"),
)
"""One of them is in every event that tells more than text. Text cannot look like it: its quotes are escaped.
Several, for in each the engine can look for its beginning: one for all takes three times as long.
"""


class ChatReader:
    """Keeps state for each choice: streams interleave them."""

    def __init__(self, *, text: bool) -> None:
        self._text = text
        self.wanted = None if text else OUTCOME
        self._choices: dict[int, _Draft] = {}
        self._usage: Usage | None = None
        self._done = False
        self._error: str | None = None

    def event(self, name: str, data: str) -> None:
        if data == "[DONE]":
            self._done = True
            return
        self._take(fields(data), "delta")

    def document(self, body: bytes) -> None:
        whole = fields(body)
        self._take(whole, "message")
        self._done = "choices" in whole

    def answer(self) -> Answer:
        choices = [draft.choice(index, self._text) for index, draft in sorted(self._choices.items())]
        entropies = [value for draft in self._choices.values() for value in draft.entropies]
        return Answer(
            complete=self._error is None
            and (self._done or (bool(choices) and all(choice.finish for choice in choices))),
            choices=choices,
            usage=self._usage,
            entropy=sum(entropies) / len(entropies) if entropies else None,
            digest=digest("".join(self._choices[0].scored)) if 0 in self._choices and entropies else None,
            error=self._error,
        )

    def _take(self, chunk: dict[str, Any], key: str) -> None:
        if chunk.get("error"):
            self._error = "error reported by the upstream"
        if isinstance(chunk.get("usage"), dict):
            self._usage = usage(chunk["usage"])
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if not isinstance(choice, dict):
                continue
            index = choice.get("index", 0)
            if not isinstance(index, int):
                continue
            draft = self._choices.setdefault(index, _Draft())
            if isinstance(choice.get("finish_reason"), str):
                draft.finish = choice["finish_reason"]
            if self._text and isinstance(choice.get(key), dict):
                draft.add(choice[key])
            if isinstance(choice.get("logprobs"), dict):
                draft.entropies += entropies(choice["logprobs"].get("content"))
                draft.scored.append(content(choice.get(key)))


class _Draft:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.reasoning: list[str] = []
        self.calls: dict[int, dict[str, Any]] = {}
        self.finish: str | None = None
        self.entropies: list[float] = []
        self.scored: list[str] = []
        """Text that came with log-probabilities."""

    def add(self, delta: dict[str, Any]) -> None:
        if isinstance(delta.get("content"), str):
            self.text.append(delta["content"])
        for key in ("reasoning_content", "reasoning"):  # vendors that send both say the same in both
            if isinstance(delta.get(key), str):
                self.reasoning.append(delta[key])
                break
        calls = delta.get("tool_calls")
        for position, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, dict):
                index = call.get("index", position)
                merge(self.calls.setdefault(index if isinstance(index, int) else position, {}), call)

    def choice(self, index: int, text: bool) -> Choice:
        if not text:
            return Choice(index=index, finish=self.finish)
        return Choice(
            index=index,
            text="".join(self.text),
            reasoning="".join(self.reasoning) or None,
            finish=self.finish,
            tool_calls=[call for _, call in sorted(self.calls.items())],
        )


def content(message: Any) -> str:
    """The text of a message or of a piece of one."""
    text = message.get("content") if isinstance(message, dict) else None
    return text if isinstance(text, str) else ""


def merge(call: dict[str, Any], delta: dict[str, Any]) -> None:
    """Add a piece of a tool call: names and ids come whole, arguments in pieces."""
    for key, value in delta.items():
        if key == "index":
            continue
        held = call.get(key)
        if isinstance(value, dict):
            call[key] = held if isinstance(held, dict) else {}
            merge(call[key], value)
        elif key == "arguments" and isinstance(value, str) and isinstance(held, str):
            call[key] = held + value
        elif value is not None:
            call[key] = value


def usage(reported: dict[str, Any]) -> Usage:
    """Tokens as reported; a figure that is not a whole number is left out."""

    def number(source: Any, *keys: str) -> int | None:
        for key in keys:
            value = source.get(key) if isinstance(source, dict) else None
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        return None

    details = reported.get("prompt_tokens_details") or reported.get("input_tokens_details")
    return Usage(
        prompt_tokens=number(reported, "prompt_tokens", "input_tokens"),
        completion_tokens=number(reported, "completion_tokens", "output_tokens"),
        total_tokens=number(reported, "total_tokens"),
        cached_tokens=number(details, "cached_tokens"),
    )


def entropies(content: Any) -> list[float]:
    """Entropy in nats of each token over the alternatives that were reported, scaled to sum to 1."""
    found: list[float] = []
    for token in content if isinstance(content, list) else ():
        top = token.get("top_logprobs") if isinstance(token, dict) else None
        logs = [
            item["logprob"]
            for item in (top if isinstance(top, list) else ())
            if isinstance(item, dict) and isinstance(item.get("logprob"), int | float)
        ]
        if len(logs) > 1:
            weights = [math.exp(min(0.0, log)) for log in logs]
            total = sum(weights)
            if total > 0:
                found.append(-sum(w / total * math.log(w / total) for w in weights if w > 0))
    return found
