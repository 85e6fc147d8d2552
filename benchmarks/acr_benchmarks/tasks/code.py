"""Python functions, scored by running them against tests in a sandbox.

Reads the built-in items (`function`, `question`, `tests: [[arguments], expected]`) and those of the
Lost-in-Conversation release: HumanEval items (`prompt`, `test` with `check(candidate)`) and call-based
LiveCodeBench items (`question_content`, `public_test_cases`, `private_test_cases`).
"""

import ast
import base64
import io
import json
import pickle
import re
import zlib
from collections.abc import Mapping, Sequence
from math import isclose
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError
from acr_benchmarks import sandbox
from acr_benchmarks.sandbox import Limits
from acr_benchmarks.task import Answer, Item, bullets

SYSTEM = (
    "You help people write Python. Whenever you give a solution, put one complete function, with all it "
    "needs, into a single ```python block. Use the standard library only. Do not call the function, and do "
    "not read input."
)
BLOCK = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
LIMITS = Limits()


class Code:
    """All tests must pass. What counts is the last code block that defines a function."""

    name = "code"
    licence = "Apache-2.0"

    def path(self) -> Path:
        return Path(__file__).parent.parent / "data" / "code.jsonl"

    def system(self, item: Item) -> str:
        return SYSTEM

    def full(self, item: Item) -> str:
        for key in ("question", "question_content", "prompt"):
            if isinstance(item.data.get(key), str):
                starter = item.data.get("starter_code") if key == "question_content" else ""
                return f"{item.data[key]}\n\n{starter}" if starter else str(item.data[key])
        raise BenchmarkError(f"item {item.id!r} has no instruction")

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        return f"Write a Python function:\n{bullets(pieces)}"

    def extract(self, item: Item, response: str) -> Answer | None:
        blocks = [block for block in BLOCK.findall(response) if defines(block)]
        if blocks:
            return Answer(blocks[-1])
        return Answer(response, explicit=True) if defines(response) else None

    def score(self, item: Item, answer: str) -> float:
        name = function(item)
        if isinstance(item.data.get("test"), str):
            before = str(item.data.get("prompt", ""))
            ran = sandbox.check(answer, name, item.text("test"), before=before, limits=LIMITS)
            return float(not ran.errors)
        wanted = tests(item)
        ran = sandbox.call(answer, name, [arguments for arguments, _ in wanted], LIMITS)
        if ran.errors or len(ran.results) != len(wanted):
            return 0.0
        return float(all(same(a, b) for a, (_, b) in zip(ran.results, wanted, strict=True)))


def defines(code: str) -> bool:
    """Whether this is Python that defines a function or `class Solution` at its top."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(
        isinstance(node, ast.FunctionDef) or (isinstance(node, ast.ClassDef) and node.name == "Solution")
        for node in body
    )


def function(item: Item) -> str:
    """The name that the tests call. Raises `BenchmarkError` if the item does not say."""
    metadata = item.data.get("metadata")
    if isinstance(metadata, str):
        metadata = json.loads(metadata)
    places = (item.data, metadata if isinstance(metadata, Mapping) else {})
    for place in places:
        for key in ("function", "func_name", "entry_point"):
            if isinstance(place.get(key), str):
                return str(place[key])
    raise BenchmarkError(f"item {item.id!r} does not name its function")


def tests(item: Item) -> list[tuple[list[Any], Any]]:
    """Arguments and expected value of each test. Raises `BenchmarkError` if there are none."""
    found = [(list(arguments), expected) for arguments, expected in item.data.get("tests", ())]
    for key in ("public_test_cases", "private_test_cases"):
        if item.data.get(key):
            found += [
                ([json.loads(line) for line in case["input"].splitlines()], json.loads(case["output"]))
                for case in cases(item.data[key])
            ]
    if not found:
        raise BenchmarkError(f"item {item.id!r} has no tests")
    return found


def cases(field: Any) -> list[dict[str, Any]]:
    """LiveCodeBench's test cases: a list, as JSON, or that JSON pickled, packed and in base 64.

    The pickle may hold nothing but plain values: nothing is imported or called in reading it.
    """
    if not isinstance(field, str):
        return list(field)
    try:
        return list(json.loads(field))
    except ValueError:
        packed = zlib.decompress(base64.b64decode(field))
        return list(json.loads(PlainUnpickler(io.BytesIO(packed)).load()))


class PlainUnpickler(pickle.Unpickler):
    """Reads plain values only."""

    def find_class(self, module: str, name: str) -> Any:
        raise BenchmarkError(f"test cases want to load {module}.{name}: refused")


def same(given: Any, expected: Any) -> bool:
    """Equal values of like kinds; lists and tuples are alike, a float may be off by rounding."""
    if isinstance(given, bool) or isinstance(expected, bool) or given is None or expected is None:
        return given is expected
    if isinstance(given, int | float) and isinstance(expected, int | float):
        return given == expected or isclose(given, expected, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(given, list | tuple) and isinstance(expected, list | tuple):
        return len(given) == len(expected) and all(map(same, given, expected))
    if isinstance(given, dict) and isinstance(expected, dict):
        given = {key if isinstance(key, str) else str(key): value for key, value in given.items()}
        return given.keys() == expected.keys() and all(same(given[key], expected[key]) for key in given)
    return type(given) is type(expected) and bool(given == expected)
