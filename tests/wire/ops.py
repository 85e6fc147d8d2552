"""The operations of assertions. Each gives None, or a line that says what is wrong."""

from collections.abc import Callable
from typing import Any

from wire.case import CaseError
from wire.targets import Seen

Check = dict[str, Any]
One = Callable[[Seen, Any, Check], str | None]
Many = Callable[[list[Seen], Any, Check], str | None]

ONE: dict[str, One] = {}
"""Held by each value that a target names."""
MANY: dict[str, Many] = {}
"""Held by all of them together."""

EXTRA = {"on", "op", "value", "when", "where", "max_boundaries", "superseded", "roles"}
"""Fields that an assertion may have."""


def one(name: str) -> Callable[[One], One]:
    def enter(function: One) -> One:
        ONE[name] = function
        return function

    return enter


def many(name: str) -> Callable[[Many], Many]:
    def enter(function: Many) -> Many:
        MANY[name] = function
        return function

    return enter


def verdict(seen: list[Seen], check: Check) -> str | None:
    """Apply a check's operation to what its target found."""
    name, want = check["op"], check.get("value")
    if name in MANY:
        return MANY[name](seen, want, check)
    if name not in ONE:
        raise CaseError(f"unknown op {name!r}")
    for item in seen:
        problem = ONE[name](item, want, check)
        if problem:
            where = f"step {item.step.index}: " if item.step and len(seen) > 1 else ""
            return where + problem
    return None


def wrong(holds: bool, problem: str) -> str | None:
    return None if holds else problem
