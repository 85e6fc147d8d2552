"""What an attacker wrote before reading the code (tests/data/attack), at what was measured (docs/signals.md)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks.controls import Control, examine
from acr_benchmarks.references import Labelled, precision, recall
from acr_benchmarks.references import examine as find

from acr import registry
from acr.engine import Engine
from acr.testing import talk

RULES = Engine(registry.controller("rules"), registry.operators())
FILES = Path(__file__).parents[1] / "data" / "attack"


def rows(name: str) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in (FILES / name).read_text(encoding="utf-8").splitlines()]


def control(row: Mapping[str, Any]) -> Control:
    said = row.get("messages") or [
        {"role": "assistant" if place % 2 else "user", "content": text}
        for place, text in enumerate(row["texts"])
    ]
    survive = [[one] if isinstance(one, str) else one for one in row["survive"]]
    return Control(row["id"], row["category"], row["language"], said, survive, unsaid=row["unsaid"])


ARTEFACTS = [control(row) for row in rows("artefacts.jsonl")]
BLIND = [control(row) for row in rows("blind.jsonl")]
KEEP = [control(row) for row in rows("keep.jsonl")]


async def test_rules_harm_no_ordinary_conversation() -> None:
    ordinary = [one for one in KEEP if one.category != "trap"]
    assert len(ordinary) == 93
    assert [finding.control.id for finding in await examine(ordinary, RULES) if finding.lost] == []


@pytest.mark.parametrize("operator", [None, "consolidate", "prune"])
async def test_no_query_call_or_program_is_lost_that_a_turn_is_about(operator: str | None) -> None:
    """Nor is a request that is done brought up again."""
    assert len(ARTEFACTS) == 44
    assert [one.control.id for one in await examine(ARTEFACTS, RULES, operator) if one.lost] == []


async def test_rules_harm_few_dialogues_of_a_second_attacker() -> None:
    """Known to fail are those that docs/decisions.md lists."""
    found = await examine(BLIND, RULES)
    assert len(found) == 120
    assert sum(bool(one.lost) for one in found) <= 4
    assert [one.control.id for one in found if one.control.category == "leave" and one.outcome.changed] == []
    assert sum(one.outcome.changed for one in found if one.control.category == "act") >= 15


async def test_a_forced_recap_brings_up_few_requests_that_are_done() -> None:
    assert sum(bool(one.lost) for one in await examine(ARTEFACTS, RULES, "recap")) <= 2


async def test_rules_harm_few_dialogues_in_pieces_that_turn_back() -> None:
    """Known to fail: a share of an earlier result named without a word for it."""
    traps = [one for one in KEEP if one.category == "trap"]
    assert sum(bool(finding.lost) for finding in await examine(traps, RULES)) <= 5


async def test_rules_help_at_the_last_turn() -> None:
    acted = [(await RULES.run(talk(*row["texts"]))).changed for row in rows("scattered.jsonl")]
    assert sum(acted) >= 37


def test_short_facts_and_short_references() -> None:
    frozen = [
        Labelled(row["id"], row["language"], row["kind"], frozenset(row["needs"]), talk(*row["texts"]))
        for row in rows("references.jsonl")
        if row["half"] == "frozen"
    ]
    verdicts = find(frozen)
    assert recall(verdicts) >= 0.95
    assert precision(verdicts) >= 0.69
