"""`acr explain`: as data, and for people."""

import json
from pathlib import Path
from typing import Any

import pytest

from acr.errors import ConfigError, ConversationError

SAID = [
    "How much profit does Nora make with her cakes this week?",
    "She bakes 12 cakes a day on 5 days.",
    "She sells a cake for 15 dollars.",
]
LOST: dict[str, Any] = {
    "id": "lost-1",
    "model": "m",
    "messages": [
        {"role": "system", "content": "You are helpful.", "extra": 1},
        {"role": "user", "content": SAID[0]},
        {"role": "assistant", "content": "Say she sells 10 cakes at 20 dollars: 200 dollars.\n\nAnswer: 200"},
        {"role": "user", "content": SAID[1]},
        {"role": "assistant", "content": "So 60 cakes at 20 dollars are 1200 dollars.\n\nAnswer: 1200"},
        {"role": "user", "content": SAID[2]},
    ],
}
SINGLE: dict[str, Any] = {"messages": [{"role": "user", "content": "Hi."}]}


def put(folder: Path, *items: object) -> str:
    file = folder / "conversations.jsonl"
    file.write_text("\n".join(json.dumps(item, ensure_ascii=False) for item in items), encoding="utf-8")
    return str(file)


def test_json_has_exactly_these_keys(acr: Any, tmp_path: Path) -> None:
    found = acr("explain", put(tmp_path, LOST), "--json")
    assert found.stderr == ""
    (line,) = found.stdout.splitlines()
    case = json.loads(line)
    assert set(case) == {"id", "decision", "signals", "ledger", "edits", "messages", "tokens"}
    assert set(case["decision"]) == {"operator", "reason", "confidence", "controller"}
    assert set(case["tokens"]) == {"before", "after"}


def test_a_lost_conversation_is_refactored(acr: Any, tmp_path: Path) -> None:
    case = json.loads(acr("explain", put(tmp_path, LOST), "--json").stdout)
    assert case["id"] == "lost-1"
    assert case["decision"]["operator"] == "consolidate"
    assert case["decision"]["controller"] == "rules"
    assert case["messages"][0] == LOST["messages"][0]
    assert len(case["messages"]) < len(LOST["messages"])
    assert all(sentence in case["messages"][-1]["content"] for sentence in SAID)
    assert case["tokens"]["after"] < case["tokens"]["before"]
    assert case["signals"]["premature"] == {"value": 2, "evidence": ["2", "4"]}
    assert [item["text"] for item in case["ledger"]["items"]] == SAID
    assert {edit["edit"] for edit in case["edits"]} <= {"drop", "rewrite", "insert"}


def test_a_single_turn_is_left_alone(acr: Any, tmp_path: Path) -> None:
    case = json.loads(acr("explain", put(tmp_path, SINGLE), "--json").stdout)
    assert "id" not in case
    assert case["decision"]["operator"] is None
    assert case["decision"]["reason"] == "single turn"
    assert case["edits"] == [] and case["messages"] == SINGLE["messages"]
    assert case["tokens"]["before"] == case["tokens"]["after"] > 0


def test_jsonl_gives_one_object_a_line_and_standard_input_will_do(acr: Any) -> None:
    given = json.dumps(LOST) + "\n\n" + json.dumps(SINGLE) + "\n"
    lines = acr("explain", "-", "--json", given=given).stdout.splitlines()
    assert [json.loads(line)["decision"]["operator"] for line in lines] == ["consolidate", None]


def test_one_object_may_span_lines(acr: Any) -> None:
    found = acr("explain", "-", "--json", given=json.dumps(LOST, indent=2))
    assert json.loads(found.stdout)["id"] == "lost-1"


def test_controller_and_operator_can_be_chosen(acr: Any, tmp_path: Path) -> None:
    file = put(tmp_path, LOST)
    never = json.loads(acr("explain", file, "--json", "--controller", "never").stdout)
    assert never["decision"] == {
        "operator": None,
        "reason": "this controller never intervenes",
        "confidence": 1.0,
        "controller": "never",
    }
    forced = json.loads(acr("explain", file, "--json", "--operator", "recap").stdout)
    assert forced["decision"]["operator"] == "recap"
    assert len(forced["messages"]) == len(LOST["messages"])


def test_what_acr_cannot_read_is_left_alone(acr: Any, tmp_path: Path) -> None:
    odd = {"messages": [{"role": "wizard", "content": "Abracadabra"}], "n": 1}
    case = json.loads(acr("explain", put(tmp_path, odd), "--json").stdout)
    assert case["decision"]["operator"] is None
    assert case["decision"]["reason"] == "a message has a role that ACR does not know"
    assert case["messages"] == odd["messages"]


def test_people_see_why_and_what(acr: Any, tmp_path: Path) -> None:
    text = acr("explain", put(tmp_path, LOST)).stdout
    for part in ("signals", "premature", "ledger", "requirement", "decision", "consolidate", "edits"):
        assert part in text
    assert "  - [2 assistant] Say she sells 10 cakes" in text
    assert f"  +   {SAID[0]}" in text
    assert "prompt tokens" in text and "→" in text


def test_text_of_the_conversation_is_neither_markup_nor_escape(acr: Any, tmp_path: Path) -> None:
    item = json.loads(json.dumps(LOST))
    item["messages"][-1]["content"] += " [bold]\x1b[31m[/nothing]"
    text = acr("explain", put(tmp_path, item)).stdout
    assert "[bold]�[31m[/nothing]" in text and "\x1b[31m" not in text


def test_the_ledger_shows_what_holds_what_is_settled_and_what_is_open(acr: Any, tmp_path: Path) -> None:
    said = [
        "Book a table for 4 people. Never near the door.",
        "Sure, done. Shall I add parking?",
        "Yes, please.",
        "Added. Any allergies? And which day?",
        "Actually, make it 5 people.",
    ]
    roles = ("user", "assistant")
    item = {"messages": [{"role": roles[n % 2], "content": text} for n, text in enumerate(said)]}
    text = acr("explain", put(tmp_path, item)).stdout
    for part in (
        "prohibition  [0] Never near the door.",
        "restated by [4] Actually, make it 5 people.",
        "settled      [1] Sure, done. Shall I add parking?  agreed in [2] Yes, please.",
        "open         [3] And which day?  the assistant's",
        "corrections taken up",
    ):
        assert part in text


def test_reading_nothing_changes_nothing(acr: Any, tmp_path: Path) -> None:
    text = acr("explain", put(tmp_path, SINGLE)).stdout
    assert "none  single turn" in text and "none: the request goes on as it came" in text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "holds no conversation"),
        ('{"messages": []}\n{oops}\n', "line 2 is not JSON"),
        ('{"messages": "no"}', "wanted is an object with a list named 'messages'"),
        ('{"messages": []}\n[1]\n', "line 2: wanted is an object"),
    ],
)
def test_a_file_that_is_no_conversation(acr: Any, given: str, said: str) -> None:
    error = acr("explain", "-", given=given).exception
    assert isinstance(error, ConversationError)
    assert said in str(error)


def test_an_unknown_operator_names_the_known_ones(acr: Any) -> None:
    error = acr("explain", "-", "--operator", "magic", given=json.dumps(LOST)).exception
    assert isinstance(error, ConfigError)
    assert "no operator named 'magic'; known: abstract, consolidate" in str(error)
