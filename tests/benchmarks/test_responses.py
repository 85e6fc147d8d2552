"""Sorting responses: by form, by a model, and how well the form does on labelled conversations."""

import json
import re
from pathlib import Path

import pytest
from acr_benchmarks import responses
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.responses import Form, Judge, agreement, classify, labelled
from acr_benchmarks.task import Item
from acr_benchmarks.tasks.data2text import Data2Text
from acr_benchmarks.tasks.math import Math
from hypothesis import given
from hypothesis import strategies as st

from acr.errors import ConfigError, UpstreamError

README = Path(__file__).parents[2] / "benchmarks" / "README.md"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("There are 24 trees, so 24 × 35 = 840.\n\nAnswer: 840", "answer_attempt"),
        ("```python\ndef add(a, b):\n    return a + b\n```", "answer_attempt"),
        ("[book(place='Lido', people=4)]", "answer_attempt"),
        ("How many trees are there in the orchard?", "clarification"),
        ("I need more information. Please provide the number of trees.", "refuse"),
        (
            "To help you I need to know more:\n1. How many trees are there?\n2. How much does each of them give?",
            "interrogation",
        ),
        ("The question lacks the required parameter: there is not enough information.", "refuse"),
        ("", "missing"),
        (" \n…", "missing"),
        ("None", "missing"),
        ("Orchards are a fine thing, and apples can be stored over the winter without any trouble.", "discussion"),
    ],
)  # fmt: skip
def test_by_form(text: str, kind: str) -> None:
    assert classify(text) == kind


def test_guesses_about_the_answer_are_hedged() -> None:
    text = "Assuming a typical bag of 12 cookies and two bags a week, that is roughly 12 × 2 = 24 cookies."
    assert classify(text) == "hedge"
    assert classify(text, presented=True) == "answer_attempt"


def test_what_a_task_reads_as_an_answer_is_an_attempt() -> None:
    assert classify("42", presented=True) == "answer_attempt"
    assert classify("…", presented=True) == "missing"


@given(st.text(), st.booleans())
def test_every_text_has_a_type(text: str, presented: bool) -> None:
    assert classify(text, frozenset({"1"}), presented=presented) in responses.RESPONSES


async def test_material_is_always_answered(item: Item) -> None:
    task = Data2Text()
    ordered = Item("o", "data2text", item.shards, {}, ordered=True)
    text = "Which table do you mean?"
    assert await Form().label(task, ordered, text, frozenset(), False) == "answer_attempt"
    assert await Form().label(task, item, text, frozenset(), False) == "clarification"
    assert await Form().label(task, ordered, "", frozenset(), False) == "missing"


async def test_a_model_sees_task_and_response_only(server, item: Item, make_completion) -> None:
    server.handler = lambda body: make_completion('It is {"response_type": "hedge"}.')
    judge = Judge(Endpoint(server.url, "m", pauses=()))
    assert await judge.label(Math(), item, "Maybe 4.", frozenset(), False) == "hedge"
    (body,) = server.requests
    assert body["temperature"] == 0.0
    assert body["messages"][1]["content"] == "Task:\nWhole question 0?\n\nResponse:\nMaybe 4."
    assert "18" not in str(body["messages"]), "the right answer is none of its business"


async def test_a_model_that_names_no_type_is_asked_twice(server, item: Item, make_completion) -> None:
    answers = iter(["no idea", '{"response_type": "refuse"}', "{}", '{"response_type": "guess"}'])
    server.handler = lambda body: make_completion(next(answers))
    judge = Judge(Endpoint(server.url, "m", pauses=()))
    assert await judge.label(Math(), item, "?", frozenset(), False) == "refuse"
    with pytest.raises(UpstreamError, match="names no type"):
        await judge.label(Math(), item, "?", frozenset(), False)


def test_classifiers_by_name() -> None:
    one = Endpoint("http://127.0.0.1:9/v1")
    assert [responses.make(name, one).name for name in ("form", "model")] == ["form", "model"]
    with pytest.raises(ConfigError, match="known: form, model"):
        responses.make("other", one)


def test_agreement_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    turns = [
        {"user": "How many?", "asst": "How many trees are there?", "rt": "clarification"},
        {"user": "There are 24.", "asst": "24 × 2 = 48\nAnswer: 48", "rt": "answer_attempt"},
        {"user": "And 3.", "asst": "None", "rt": "refuse"},
    ]
    path.write_text(json.dumps({"turns": turns}) + "\n", encoding="utf-8")
    table = agreement(list(labelled(path)))
    assert (
        "3 responses" in table
        and "attempt or not     100.0%" in table
        and "one of seven       66.7%" in table
    )


@pytest.mark.data
def test_agreement_with_the_protocols_labels(shared: Path) -> None:
    """What benchmarks/README.md says still holds, within two points: the reading it rests on may change."""
    pairs = list(labelled(shared / "data" / "lic_traces_dev.jsonl"))
    attempts = sum((a == "answer_attempt") == (b == "answer_attempt") for a, b in pairs) / len(pairs)
    same = sum(a == b for a, b in pairs) / len(pairs)
    text = README.read_text(encoding="utf-8")
    for row, measured in (("attempt or not", attempts), ("one of seven", same)):
        (told,) = re.findall(rf"\| {row} \| ([\d.]+)% \|", text)
        assert abs(float(told) - 100 * measured) < 2, row
