"""Work grows with the length of a conversation and not faster, whichever the operator.

Counted in function calls, which a busy machine does not change. Times are in operators/README.md.
"""

import asyncio
import cProfile
import math
from collections.abc import Callable
from typing import Any

import pytest

from acr import registry
from acr.dialects.chat import read
from acr.engine import Engine
from acr.reading.features import features
from acr.testing.cases import LONG_DUMP, PIECES, call, result, turns

OPERATORS = registry.operators()
SAID = [text for language in PIECES for text in PIECES[language]]


def mixed(number: int) -> list[dict[str, Any]]:
    return turns(*[f"{SAID[(n * 7) % len(SAID)]} ({n})" for n in range(number - 1)])


def corrected(number: int) -> list[dict[str, Any]]:
    """One task, each turn of which overrules the one before."""
    said = ("Make it {n} people, not {m}.", "{m} people * 4 = {n} euro for {m} people.")
    texts = [said[n % 2].format(n=n + 10, m=n + 8) for n in range(number - 2)]
    return turns("What do 8 people pay for lunch?", "8 * 4 = 32 euro.", *texts[: -1 + number % 2 or None])


def dumps(number: int) -> list[dict[str, Any]]:
    messages = turns("Look what is wrong.")
    for n in range(number // 4):
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call(f"c{n}")]},
            result(f"c{n}", f"{n}\n{LONG_DUMP[:3000]}"),
            *turns("", f"Item {n} is slow.", f"And item {n + 1}?")[1:],
        ]
    return messages


def work(name: str, messages: list[dict[str, Any]]) -> int:
    conversation = read(messages)
    engine = Engine(registry.controller("never"), OPERATORS, deadline=600)
    features.clear()
    profile = cProfile.Profile()
    loop = asyncio.new_event_loop()
    try:
        profile.enable()
        outcome = loop.run_until_complete(engine.run(conversation, operator=name))
        profile.disable()
    finally:
        loop.close()
    assert outcome.failure is None
    assert outcome.signals is not None
    return sum(entry.callcount for entry in profile.getstats())


CASES = [
    *((name, mixed, 120, 1200) for name in sorted(OPERATORS)),
    *((name, corrected, 500, 2000) for name in ("consolidate", "rectify")),  # windows are full from 400 on
    ("filter", dumps, 400, 1200),
]


@pytest.mark.parametrize(("name", "shape", "short", "long"), CASES)
def test_work_grows_with_length(
    name: str, shape: Callable[[int], list[dict[str, Any]]], short: int, long: int
) -> None:
    few, many = work(name, shape(short)), work(name, shape(long))
    assert math.log(many / few) / math.log(long / short) <= 1.1
