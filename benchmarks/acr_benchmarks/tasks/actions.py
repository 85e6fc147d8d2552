"""Function calls, scored against their documented signatures without running anything.

Reads the built-in items and those of the Lost-in-Conversation release (from the Berkeley Function-Calling
Leaderboard): `function` (documentations), `reference_answer` ([{name: {parameter: [allowed, …]}}]), and
`question` or `fully_specified_question`.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError
from acr_benchmarks import calls
from acr_benchmarks.task import Answer, Item, bullets

SYSTEM = (
    "You turn requests into function calls. Answer with nothing but the calls that the whole request needs, "
    'as a list in square brackets, such as [set_alarm(time="07:00"), set_alarm(time="08:30", label="Tom")]. '
    "Give each call only the parameters that the user said something about for that call. If the request "
    "cannot be met with these functions yet, say what is missing.\n\nThe functions, as JSON:\n"
)
FENCE = re.compile(r"```[^\n`]*\n?|`")


class Actions:
    """The expected calls and no others, in any order (see `acr_benchmarks.calls`)."""

    name = "actions"
    licence = "Apache-2.0"

    def path(self) -> Path:
        return Path(__file__).parent.parent / "data" / "actions.jsonl"

    def system(self, item: Item) -> str:
        return SYSTEM + json.dumps(functions(item), ensure_ascii=False)

    def full(self, item: Item) -> str:
        for key in ("question", "fully_specified_question"):
            value = item.data.get(key)
            while isinstance(value, list) and value:  # the leaderboard nests turns and messages
                value = value[0]
            if isinstance(value, dict):
                value = value.get("content")
            if isinstance(value, str):
                return value
        raise BenchmarkError(f"item {item.id!r} has no instruction")

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        return bullets(pieces)

    def extract(self, item: Item, response: str) -> Answer | None:
        text = FENCE.sub("", response).strip()
        if calls.read(text):
            return Answer(text)
        found = [part for part in brackets(text) if calls.read(part)]
        if found:
            return Answer(found[-1])
        lines = [line.strip().rstrip(",;") for line in text.splitlines()]
        single = [line for line in lines if "(" in line and calls.read(line)]
        return Answer("\n".join(single)) if single else None

    def score(self, item: Item, answer: str) -> float:
        given = calls.read(answer)
        expected = item.data.get("reference_answer")
        if not isinstance(expected, list) or not expected:
            raise BenchmarkError(f"item {item.id!r} has no reference_answer")
        return float(given is not None and calls.right(given, expected, functions(item)))


def functions(item: Item) -> list[dict[str, Any]]:
    """The documentations. Raises `BenchmarkError` if there are none."""
    found = item.data.get("function")
    if isinstance(found, dict):
        found = [found]
    if not isinstance(found, list) or not found:
        raise BenchmarkError(f"item {item.id!r} documents no function")
    return list(found)


def brackets(text: str) -> list[str]:
    """All outermost parts in square brackets, brackets in strings left aside."""
    parts, depth, start, quote = [], 0, 0, ""
    for index, sign in enumerate(text):
        if quote:
            if sign == quote and text[index - 1] != "\\":
                quote = ""
        elif depth and sign in "'\"":
            quote = sign
        elif sign == "[":
            start = index if depth == 0 else start
            depth += 1
        elif sign == "]" and depth:
            depth -= 1
            if depth == 0:
                parts.append(text[start : index + 1])
    return parts
