"""Function calls as a task: what is taken for the answer, and the built-in items."""

import json
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks import task
from acr_benchmarks.soundness import problems
from acr_benchmarks.task import Item, Shard
from acr_benchmarks.tasks import actions
from acr_benchmarks.tasks.actions import Actions

from acr.errors import BenchmarkError

TASK = Actions()
DOC = {
    "name": "alarm",
    "parameters": {
        "properties": {"time": {"type": "string"}, "label": {"type": "string"}},
        "required": ["time"],
    },
}
ITEM = Item(
    "i",
    "actions",
    (Shard(1, "?"),),
    {
        "function": [DOC],
        "question": "Wake me.",
        "reference_answer": [{"alarm": {"time": ["06:00"], "label": ["a]b", ""]}}],
    },
)


def score(response: str, item: Item = ITEM) -> float | None:
    answer = TASK.extract(item, response)
    return None if answer is None else TASK.score(item, answer.text)


@pytest.mark.parametrize(
    "response",
    [
        "[alarm(time='06:00')]",
        "alarm(time='06:00')",
        "```python\n[alarm(time='06:00')]\n```",
        "Here you are: [alarm(time='06:00', label='a]b')] Sleep well [soon].",
        "I first thought of [alarm(time='07:00')], but it is:\n[alarm(time='06:00')]",
        "The call is\nalarm(time='06:00');\nas you wished",
        "`alarm('06:00')`",
        "[\n  alarm(\n    time='06:00',\n  ),\n]",
    ],
)
def test_right(response: str) -> None:
    assert score(response) == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "[alarm(time='07:00')]",
        "[alarm(time='06:00'), alarm(time='07:00')]",
        "[alarm()]",
        "[alarm(time='06:00', volume=3)]",
        "alarm(time='06:00')\nalarm(time='07:00')",
    ],
)
def test_wrong(response: str) -> None:
    assert score(response) == 0.0


@pytest.mark.parametrize(
    "response", ["", "At what time?", "[]", "alarm at 06:00", "[06:00]", "[alarm(time=t)]"]
)
def test_no_answer(response: str) -> None:
    assert score(response) is None


def test_the_system_prompt_documents_the_functions() -> None:
    assert json.dumps(DOC) in TASK.system(ITEM)
    assert "06:00" not in TASK.system(ITEM)


def test_items_without_what_is_needed_are_named() -> None:
    empty = Item("e", "actions", (Shard(1, "?"),), {})
    for method in (lambda: TASK.full(empty), lambda: TASK.system(empty), lambda: TASK.score(empty, "f()")):
        with pytest.raises(BenchmarkError, match="'e'"):
            method()


def test_the_leaderboards_nesting_is_read() -> None:
    nested = Item(
        "n", "actions", (Shard(1, "?"),), {"fully_specified_question": [[{"role": "user", "content": "Hi"}]]}
    )
    assert TASK.full(nested) == "Hi"


def plain(value: Any) -> Any:
    """A value without the alternatives that the reference nests into dictionaries."""
    return {key: values[0] for key, values in value.items()} if isinstance(value, dict) else value


def written(reference: list[dict[str, Any]]) -> str:
    """The reference as a model would write it: the first allowed value of each, defaults left out."""
    parts = []
    for call in reference:
        for name, allowed in call.items():
            given = {key: plain(values[0]) for key, values in allowed.items() if "" not in values}
            parts.append(f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})")
    return f"[{', '.join(parts)}]"


ITEMS = task.read(TASK.path(), "actions")


def test_there_are_enough_built_in_items() -> None:
    assert len(ITEMS) >= 40


@pytest.mark.parametrize("built_in", ITEMS, ids=lambda built_in: built_in.id)
def test_built_in_items_are_sound(built_in: Item) -> None:
    assert list(problems(built_in, TASK.full(built_in))) == []
    reference = built_in.data["reference_answer"]
    assert score(written(reference), built_in) == 1.0
    assert score(written(reference[:-1]) if len(reference) > 1 else "[]", built_in) in (0.0, None)
    assert score(written([*reference, reference[0]]), built_in) == 0.0
    documented = {function["name"]: function for function in actions.functions(built_in)}
    assert {name for call in reference for name in call} == set(documented), "no function is there in vain"


@pytest.mark.data
def test_items_of_the_leaderboard_are_read(shared: Path) -> None:
    items = task.read(shared / "data" / "lic_math_actions_dev.json", "actions")
    assert len(items) == 27
    passed = [score(written(item.data["reference_answer"]), item) for item in items]
    assert passed == [1.0] * len(items)
    assert all(TASK.full(item) for item in items)
