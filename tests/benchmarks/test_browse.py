"""Looking at episodes: the right ones, and what was changed in them."""

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks import browse, browse_page, browse_text, cli
from acr_benchmarks.records import Episode, TurnRecord
from acr_benchmarks.store import Store
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

VIEW = [{"role": "system", "content": "s"}, {"role": "user", "content": "How many? Two more."}]


@pytest.fixture
def changed(episode: Callable[..., Episode]) -> Episode:
    """Two turns; at the second the model saw one message of the user instead of three messages."""
    one = episode("acr:rules", 1, 0.0, 1.0)
    first, second = one.turns
    first = first.model_copy(update={"user": "How many?", "assistant": "It is <b>5</b>.", "acr": {}})
    headers = {"decision": "intervened", "operator": "consolidate", "reason": "stale", "tokens-before": "9"}
    second = second.model_copy(
        update={
            "user": "Two more.",
            "acr": {**headers, "tokens-after": "4"},
            "view": VIEW,
            "signals": {"stale": 1.0},
        }
    )
    return one.model_copy(update={"turns": [first, second]})


def test_the_change_of_a_turn(changed: Episode) -> None:
    assert browse.context(changed, 0) == []
    assert [(one.change, one.role, one.text) for one in browse.context(changed, 1)] == [
        ("kept", "system", "s"),
        ("left out", "user", "How many?"),
        ("left out", "assistant", "It is <b>5</b>."),
        ("left out", "user", "Two more."),
        ("added", "user", "How many? Two more."),
    ]
    assert browse.decision(changed.turns[1]) == "consolidate: stale (9 → 4 tokens)"
    assert browse.decision(changed.turns[0]) == ""


MESSAGES = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=3)), max_size=6)


@given(MESSAGES, MESSAGES)
def test_both_contexts_can_be_read_off_the_changes(
    before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    changes = list(browse.compare(before, after))
    assert [(one.role, one.text) for one in changes if one.change != "added"] == before
    assert [(one.role, one.text) for one in changes if one.change != "left out"] == after


def test_choosing(small: list[Episode], changed: Episode) -> None:
    episodes = [*small, changed.model_copy(update={"item": "item-77"})]
    assert len(browse.choose(episodes)) == 13
    assert {one.setting for one in browse.choose(episodes, setting="full")} == {"full"}
    assert [one.item for one in browse.choose(episodes, item="-77")] == ["item-77"]
    assert all(one.score < 1 for one in browse.choose(episodes, wrong=True))
    assert len(browse.choose(episodes, changed=True)) == 5
    assert browse.choose(episodes, task="code") == [] == browse.choose(episodes, run=1)


@pytest.mark.parametrize(
    ("turn", "verdict"),
    [
        (TurnRecord(user="u"), "no answer"),
        (TurnRecord(user="u", response="refuse"), "no answer (refuse)"),
        (TurnRecord(user="u", answer="5", explicit=True, score=1.0), "answer: 5 – right"),
        (TurnRecord(user="u", answer="5", score=0.0), "read as answer: 5 – wrong"),
        (TurnRecord(user="u", answer="5", score=0.25), "read as answer: 5 – 25 of 100"),
        (TurnRecord(user="u", answer="5", finish_reason="length"), "read as answer: 5 – not scored, cut off"),
        (TurnRecord(user="u", error="context"), "the conversation no longer fits"),
    ],
)
def test_verdicts(turn: TurnRecord, verdict: str) -> None:
    assert browse.verdict(turn) == verdict


def printed(renderable: object) -> str:
    output = StringIO()
    Console(width=100, file=output).print(renderable)
    return output.getvalue()


def test_in_the_terminal_all_of_a_turn_is_told(changed: Episode) -> None:
    text = printed(browse_text.show(changed))
    for part in (
        "acr:rules", "consolidate: stale (9 → 4 tokens)", "- assistant: It is <b>5</b>.",
        "+ user: How many? Two more.", "stale 1", "answer: 1 – right", "100 in, 50 of these cached, 20 out",
    ):  # fmt: skip
        assert part in text, text


def test_markup_in_a_response_is_text(changed: Episode) -> None:
    turn = changed.turns[0].model_copy(update={"assistant": "[bold]x[/] [/nothing]"})
    assert "[bold]x[/] [/nothing]" in printed(browse_text.show(changed.model_copy(update={"turns": [turn]})))


def test_walking_forth_and_back(small: list[Episode]) -> None:
    episodes = browse.choose(small, setting="full")
    answers: Iterator[str] = iter(["", "p", "p", "4", "l", "2", "nonsense", "", ""])
    output = StringIO()
    browse_text.walk(episodes, Console(width=90, file=output), lambda prompt: next(answers))
    places = [line.split(" of ")[0] for line in output.getvalue().splitlines() if " of 4" in line]
    assert places == ["1", "2", "1", "1", "4", "2", "3", "4"]
    assert next(answers, "all used") == "all used"


def test_the_page_is_whole_and_escapes_what_models_write(changed: Episode, small: list[Episode]) -> None:
    evil = changed.turns[0].model_copy(update={"assistant": "</template><script>alert(1)</script>"})
    hostile = changed.model_copy(update={"item": '"><img>', "turns": [evil, changed.turns[1]]})
    page = browse_page.page([*small, hostile], "<title>")
    opened: list[tuple[str, dict[str, Any]]] = []
    closed: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            opened.append((tag, dict(attributes)))

        def handle_endtag(self, tag: str) -> None:
            closed.append(tag)

    Parser().feed(page)
    tags = [tag for tag, _ in opened]
    assert tags.count("script") == 1 and "img" not in tags
    assert tags.count("article") == closed.count("article") == 13
    assert tags.count("template") == closed.count("template") == 13
    assert not any(name in attributes for _, attributes in opened for name in ("src", "href", "onclick"))
    assert [attributes["data-item"] for tag, attributes in opened if tag == "li"][-1] == '"><img>'
    assert page.count("<option>") == 1 + 3


@pytest.fixture
def run(tmp_path: Path, small: list[Episode], manifest: dict[str, Any]) -> Path:
    with Store(tmp_path / "run") as store:
        store.write_manifest(manifest)
        for one in small:
            store.append(one)
    return tmp_path / "run"


def test_from_the_command_line(run: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli.app, ["view", str(run), "--setting", "full", "--list"])
    assert result.exit_code == 0 and result.stdout.count("item-") == 4
    result = CliRunner().invoke(cli.app, ["view", str(run), "--wrong"])
    assert result.exit_code == 0 and result.stdout.count("score 0") == 6
    page = tmp_path / "page.html"
    result = CliRunner().invoke(cli.app, ["view", str(run), "--html", str(page)])
    assert result.exit_code == 0 and page.read_text(encoding="utf-8").count("<article>") == 12
    result = CliRunner().invoke(cli.app, ["view", str(run), "--task", "none"])
    assert result.exit_code == 1 and "no conversation like that" in " ".join(result.output.split())
