"""What the reading must do on logged conversations (skipped without them), and that the counts can be wrong."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from acr_benchmarks.logged import FORMS, HALVES, Form, Logged, LoggedTurn, auc, examine, half, load, new_part

from acr import registry
from acr.engine import Engine

PATH = (
    Path(os.environ.get("ACR_TEST_DATA", Path(__file__).parents[3] / "shared"))
    / "data"
    / "lic_traces_dev.jsonl"
)
RULES = Engine(registry.controller("rules"), registry.operators())
NEVER = Engine(registry.controller("never"), registry.operators())
LOST = Logged(
    "a",
    "t",
    (
        LoggedTurn(
            "How many shells did Leigh find?",
            "If Kyle has 30, then 30 / 3 = 10. Answer: 10.",
            "answer_attempt",
            True,
        ),
        LoggedTurn(
            "Mimi found 24.",
            "Mimi has 24, so Leigh has 24 / 3 = 8 shells. Answer: 8.",
            "answer_attempt",
            True,
        ),
        LoggedTurn(
            "Kyle found twice as many as Mimi.", "Then 24 * 2 = 48. Answer: 48.", "answer_attempt", True
        ),
    ),
    lost=True,
)


@pytest.mark.data
@pytest.mark.parametrize("form", FORMS)
async def test_what_must_hold_on_logged_conversations(form: Form) -> None:
    """Nothing was tuned on the half that this reads."""
    if not PATH.exists():
        pytest.skip(f"no {PATH}: set ACR_TEST_DATA to a folder that has data/lic_traces_dev.jsonl")
    found = await examine([log for log in load(PATH) if log.half == "reported"], form, RULES)
    assert found.auc >= 0.9
    assert sum(found.premature) >= 0.95 * len(found.premature)
    assert all(found.kept)
    assert sum(found.lost) >= 0.9 * len(found.lost)
    assert found.first == 0


async def test_counts() -> None:
    found = await examine([LOST], "plain", RULES)
    assert found.premature == [True, True]
    assert (found.lost, found.right, found.first) == ([True], [], 0)
    assert found.kept
    assert all(found.kept)


async def test_counts_of_one_that_never_intervenes() -> None:
    found = await examine([LOST, replace(LOST, lost=False)], "plain", NEVER)
    assert (found.lost, found.right, found.interventions, found.kept) == ([False], [False], 0, [])


def test_auc() -> None:
    assert auc([0.9, 0.8], [0.1]) == 1
    assert auc([0.1], [0.9, 0.8]) == 0
    assert auc([0.5], [0.5]) == 0.5
    assert auc([0.9, 0.2], [0.5]) == 0.5


def test_the_new_part_of_a_turn() -> None:
    assert new_part("Just to reiterate,\n- one\n- also two\n\nAlso,\n\nthree is new\n") == "three is new"
    assert new_part("Also, nothing is restated here.") == "Also, nothing is restated here."


def test_a_task_is_on_one_side() -> None:
    assert {half(str(number)) for number in range(20)} == set(HALVES)
    assert replace(LOST, id="b").half == LOST.half
