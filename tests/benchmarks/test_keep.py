"""Conversations whose context must be kept, and dialogues in pieces, judged without a model."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from acr_benchmarks.controls import PATH, examine, load

from acr import registry
from acr.engine import Engine
from acr.testing import talk

RULES = Engine(registry.controller("rules"), registry.operators())
KEEP = load(PATH.with_name("keep.jsonl"))
SCATTERED: list[Mapping[str, Any]] = [
    json.loads(line) for line in PATH.with_name("scattered.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_there_is_something_to_lose() -> None:
    assert len(KEEP) == 60
    for control in KEEP:
        said = "\n".join(turn.text for turn in control.conversation)
        assert all(any(text in said for text in group) for group in control.survive), control.id


async def test_rules_harm_none() -> None:
    assert [finding.control.id for finding in await examine(KEEP, RULES) if finding.lost] == []


@pytest.mark.parametrize("operator", ["consolidate", "prune", "prune+recap"])
async def test_forced_operators_harm_few(operator: str) -> None:
    """What the operators alone cannot know is for the controller to leave alone."""
    assert sum(bool(finding.lost) for finding in await examine(KEEP, RULES, operator)) <= 1


async def test_what_rules_do_at_dialogues_in_pieces() -> None:
    acted = [(await RULES.run(talk(*row["texts"]))).changed for row in SCATTERED]
    assert sum(acted) >= 17
