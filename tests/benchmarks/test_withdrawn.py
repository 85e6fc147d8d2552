"""A third attacker's dialogues, written before reading the code: edits, wishes taken back or replaced, orders that
may be said again, requests in pieces (tests/data/attack/withdrawn.jsonl).
"""

import json
from dataclasses import replace
from pathlib import Path

from acr_benchmarks.controls import Control, Finding, by_acr, examine, lost

from acr import registry
from acr.engine import Engine

RULES = Engine(registry.controller("rules"), registry.operators())
FILE = Path(__file__).parents[1] / "data" / "attack" / "withdrawn.jsonl"


def controls(*categories: str) -> list[Control]:
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return [
        Control(
            row["id"],
            row["category"],
            row["language"],
            [
                {"role": "assistant" if place % 2 else "user", "content": text}
                for place, text in enumerate(row["texts"])
            ],
            [[text] for text in row["survive"]],
            unsaid=row["unsaid"],
        )
        for row in rows
        if row["category"] in categories
    ]


def harm(finding: Finding) -> list[str]:
    """What is gone that is needed, and what is done or withdrawn and is said again after the draft.

    Earlier turns that stand together before the draft that answered them, in order, are not said again.
    """
    one, outcome = finding.control, finding.outcome
    if not outcome.changed:
        return []
    gone = lost(replace(one, unsaid=()), one.conversation, outcome.conversation)
    newest = by_acr(list(outcome.conversation)[-1])
    return gone + [text for text in one.unsaid if text in newest]


async def test_rules_say_nothing_again_that_is_done_or_withdrawn() -> None:
    """Known to fail: those that docs/decisions.md lists."""
    found = await examine(controls("keep"), RULES)
    assert len(found) == 66
    harmed = {finding.control.id.removeprefix("withdrawn/") for finding in found if harm(finding)}
    assert harmed <= {"also-cond-en", "config-en"}


async def test_rules_leave_finished_requests_and_questions_alone() -> None:
    found = await examine(controls("leave"), RULES)
    assert len(found) == 7
    assert [finding.control.id for finding in found if finding.outcome.changed] == []


async def test_rules_restate_orders_that_last() -> None:
    found = await examine(controls("idem"), RULES)
    assert len(found) == 18
    assert [finding.control.id for finding in found if harm(finding)] == []
    assert sum(one.outcome.changed for one in found) >= 16


async def test_rules_act_where_a_request_comes_in_pieces() -> None:
    found = await examine(controls("act"), RULES)
    assert len(found) == 18
    assert [finding.control.id for finding in found if harm(finding)] == []
    assert sum(one.outcome.changed for one in found) >= 14
