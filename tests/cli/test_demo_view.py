"""What is drawn while the demo runs, and how it ends."""

import io

import pytest
from rich.console import Console

from acr.cli.demo_run import Side, Turn
from acr.cli.demo_task import TASK
from acr.cli.demo_view import account, decided, live, verdict

RIGHT, WRONG = f"Answer: {TASK.answer}", "Answer: 1"


def side(title: str, *answers: str, tokens: int = 10) -> Side:
    turns = [
        Turn(piece, text, 1.0, tokens, 5, True, done=True)
        for piece, text in zip(TASK.pieces, answers, strict=False)
    ]
    return Side(title, "http://x", "k", "m", 1, 0.0, turns)


def test_both_are_drawn_side_by_side_newest_lines_last() -> None:
    console = Console(file=io.StringIO(), width=100, height=20)
    direct, through = side("direct", "word " * 400 + "END"), side("through ACR", "fine")
    through.turns[0].decision = {"decision": "none", "reason": "single turn"}
    console.print(live([direct, through], console))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "direct" in shown and "through ACR" in shown and "left alone: single turn" in shown
    assert "END" in shown
    assert len(shown.splitlines()) <= 20


def test_what_acr_did_is_told_with_its_saving() -> None:
    said = {
        "decision": "intervened",
        "operator": "consolidate",
        "reason": "it came in pieces",
        "tokens-before": "400",
        "tokens-after": "90",
    }
    assert decided(Turn("x", decision=said)) == "consolidate: it came in pieces (400 → 90 prompt tokens)"
    assert decided(Turn("x")) == ""


@pytest.mark.parametrize(
    ("alone", "helped", "whole", "said"),
    [
        (WRONG, RIGHT, RIGHT, "got lost; through ACR it came to the right answer"),
        (RIGHT, RIGHT, RIGHT, "did not get lost"),
        (RIGHT, WRONG, RIGHT, "ACR did harm here"),
        (WRONG, WRONG, RIGHT, "ACR did not help"),
        (WRONG, WRONG, WRONG, "cannot solve this task"),
    ],
)
def test_the_verdict_is_honest(alone: str, helped: str, whole: str, said: str) -> None:
    assert said in verdict(TASK, side("d", alone), side("a", helped), side("w", whole))


def test_the_account_fits_any_page() -> None:
    console = Console(file=io.StringIO(), width=300)
    texts = [WRONG] * (len(TASK.pieces) - 1)
    account(TASK, side("direct", *texts, WRONG), side("ACR", *texts, RIGHT), side("once", RIGHT), console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert max(map(len, shown.splitlines())) <= 100
    turns = len(TASK.pieces)
    assert f"{15 * turns}" in shown and f"{turns}.0" in shown
