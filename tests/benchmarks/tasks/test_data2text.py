"""Table descriptions: what is read, how BLEU counts, and answers that try to cheat."""

import json
from pathlib import Path

import pytest
from acr_benchmarks import task
from acr_benchmarks.soundness import problems
from acr_benchmarks.task import Item
from acr_benchmarks.tasks.data2text import Data2Text

from acr.errors import BenchmarkError

TASK = Data2Text()
ITEMS = task.items(TASK, TASK.path(), "data2text")
ITEM = next(item for item in ITEMS if item.id.endswith("peaks-taren"))


def score(response: str, item: Item = ITEM) -> float | None:
    answer = TASK.extract(item, response)
    return None if answer is None else TASK.score(item, answer.text)


def test_right_answers_come_close_to_the_references() -> None:
    for reference in ITEM.data["references"]:
        assert score(reference) == 1.0
        assert score(f"\n{reference}\n") == 1.0
    near = score("At 3,412 metres, Mount Ister is the highest mountain of the Taren Range.")
    assert near is not None and 0.5 < near < 1.0


@pytest.mark.parametrize(
    "response",
    [
        "Grey Tooth was first climbed in 1926.",
        "I do not know this table.",
        "1.0",
        "٣٬٤١٢",
        "Mount",
        "<table><tr><td>Mount Ister</td></tr></table>",
    ],
)
def test_wrong_answers_score_little(response: str) -> None:
    value = score(response)
    assert value is not None and 0.0 <= value < 0.2


@pytest.mark.parametrize("response", ["", "  \n\t"])
def test_no_answer(response: str) -> None:
    assert score(response) is None


def test_rewards_cannot_be_hacked() -> None:
    reference = ITEM.data["references"][0]
    honest = score(reference)
    assert honest == 1.0
    everything = "\n".join(item.data["references"][0] for item in ITEMS)
    for cheat in (
        everything,  # all answers at once
        " ".join([reference] * 40),  # the right one, over and over
        TASK.full(ITEM),  # the prompt echoed
        TASK.system(ITEM),
        f"{reference} {'and so on ' * 3000}",
    ):
        value = score(cheat)
        assert value is not None and value < 0.35, cheat[:60]


def test_what_is_too_long_is_cut_before_it_is_counted() -> None:
    assert score("x " * 1_000_000) == 0.0
    assert score("\ud800 broken") == 0.0


def test_the_fields_that_shards_name_are_put_in() -> None:
    assert ITEM.ordered
    first, examples, highlighted, *_ = (shard.text for shard in ITEM.shards)
    assert ITEM.text("table_html") in first and "highlighted" not in first
    assert ITEM.text("fewshot_descriptions") in examples
    assert ITEM.text("table_highlighted_html") in highlighted
    assert all(ITEM.text("table_html") in variant for variant in ITEM.shards[0].variants)


def test_references_stand_nowhere_in_what_the_model_is_told() -> None:
    for item in ITEMS:
        told = "\n".join([TASK.system(item), TASK.full(item), *(shard.text for shard in item.shards)])
        assert not any(reference in told for reference in item.data["references"]), item.id


RELEASE = {
    "task_id": "sharded-totto-1",
    "task": "data2text",
    "original_task_id": "totto-validation-1",
    "raw_table": [[{"value": "Year", "is_header": True, "column_span": 1, "row_span": 1}]],
    "table_html": "<table><tr><th>Year</th></tr></table>",
    "table_highlighted_html": '<table><tr><th class="h">Year</th></tr></table>',
    "fewshot_descriptions": "Example 1: …",
    "metadata": {"table_page_title": "Page", "table_section_title": "Section"},
    "references": ["In 2001 it was {table_html}."],
    "shards": [{"shard_id": i, "shard": f"material {i} with {{braces}}"} for i in range(1, 7)],
}


def test_items_of_the_release_load_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "sharded_instructions_600.json"
    path.write_text(json.dumps([RELEASE, {**RELEASE, "task_id": "m", "task": "math"}]), encoding="utf-8")
    (item,) = task.items(TASK, path, "data2text")
    assert [shard.text for shard in item.shards] == [row["shard"] for row in RELEASE["shards"]]
    assert "table_page_title: Page" in TASK.full(item)
    assert TASK.concat(item, [shard.text for shard in item.shards]).endswith("material 6 with {braces}")
    assert score("In 2001 it was {table_html}.", item) == 1.0


def test_items_without_references_are_named(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="'e' has no references"):
        TASK.score(Item("e", "data2text", ITEM.shards, {"references": []}), "text")


def test_there_are_enough_built_in_items() -> None:
    assert len(ITEMS) >= 15


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_built_in_items_are_sound(item: Item) -> None:
    assert list(problems(item, TASK.full(item))) == []
    references = item.data["references"]
    assert len(references) == 3 and all(len(reference.split()) <= 30 for reference in references)
    cells = {str(cell) for row in item.data["raw_table"][1:] for cell in row}
    shown = [cell for cell in cells if f'"highlighted">{cell}</td>' in item.text("table_highlighted_html")]
    assert len(shown) >= 2
    assert "highlighted" not in item.text("table_html")
    assert any(cell.split()[0] in references[0] for cell in shown)
    others = [other for other in ITEMS if other is not item]
    assert all(TASK.score(item, other.data["references"][0]) < 0.4 for other in others)
