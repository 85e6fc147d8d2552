"""Translation: the release's own file, document-level BLEU, answers that try to cheat."""

from pathlib import Path

import pytest
from acr_benchmarks import bleu, task
from acr_benchmarks.soundness import problems
from acr_benchmarks.task import Item
from acr_benchmarks.tasks.translation import Translation

TASK = Translation()
ITEMS = task.items(TASK, TASK.path(), "translation")
ITEM = ITEMS[0]


def score(response: str, item: Item = ITEM) -> float | None:
    answer = TASK.extract(item, response)
    return None if answer is None else TASK.score(item, answer.text)


def test_right() -> None:
    english = ITEM.text("document_en")
    assert score(english) == 1.0
    assert score(english.replace("\n", " ")) == 1.0, "where the lines end is no matter"
    near = score(english.replace("hundred", "100"))
    assert near is not None and 0.8 < near < 1.0


def test_the_document_counts_not_its_sentences() -> None:
    english = ITEM.text("document_en").splitlines()
    half = score("\n".join(english[: len(english) // 2]))
    assert half is not None and half < 0.5, "a part of the translation pays for its brevity"
    assert half < score("\n".join(english[:-1])) < 1.0  # type: ignore[operator]
    swapped = score("\n".join(reversed(english)))
    assert swapped is not None and swapped > 0.9, "BLEU does not see the order of sentences"


@pytest.mark.parametrize("response", ["I cannot translate this.", "42", "…", "The the the the the the the."])
def test_wrong(response: str) -> None:
    value = score(response)
    assert value is not None and value < 0.05


@pytest.mark.parametrize("response", ["", " \n "])
def test_no_answer(response: str) -> None:
    assert score(response) is None


def test_rewards_cannot_be_hacked() -> None:
    for cheat in (
        ITEM.text("document_de"),  # not translated
        TASK.full(ITEM),  # the prompt echoed
        "\n".join(item.text("document_en") for item in ITEMS),  # all documents at once
        f"{ITEM.text('document_en')}\n" * 30,
        ITEM.text("document_en")[::-1],
    ):
        value = score(cheat)
        assert value is not None and value < 0.15, cheat[:60]


def test_pieces_are_the_sentences_of_the_file_with_words_around_them() -> None:
    assert ITEM.ordered
    for shard, row in zip(ITEM.shards, ITEM.data["shards"], strict=True):
        assert shard.text.endswith(f"\n\n{row['shard']}")
        assert all(variant.endswith(f"\n\n{row['shard']}") for variant in shard.variants)
    said = TASK.concat(ITEM, [shard.text for shard in ITEM.shards])
    assert said.count("Translate") == 1
    assert said.partition("\n\n")[2].replace("\n\n", "\n") == ITEM.text("document_de")


def test_the_count_is_signed() -> None:
    assert TASK.facts()["bleu"].startswith("case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_a_hand_counted_case() -> None:
    # 4 tokens, all orders match: (4/4 · 3/3 · 2/2 · 1/1)^¼ = 1, and a reference of 8 tokens: exp(1 − 8/4)
    assert bleu.bleu("a b c d", ["a b c d e f g h"]) == pytest.approx(0.367879, abs=1e-6)
    assert bleu.bleu("a b c d", ["x", "a b c d"]) == 1.0


@pytest.mark.data
def test_the_file_of_the_release_loads_unchanged(shared: Path) -> None:
    items = task.items(TASK, shared / "data" / "lic_sharded_translation.json", "translation")
    assert len(items) == 30
    for item in items:
        assert score(item.text("document_en"), item) == 1.0
        german = "\n".join(row["shard"] for row in item.data["shards"])
        assert german == item.text("document_de")
        assert TASK.concat(item, [shard.text for shard in item.shards]).endswith(
            item.data["shards"][-1]["shard"]
        )


def test_there_are_enough_built_in_items() -> None:
    assert len(ITEMS) >= 15


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_built_in_items_are_sound(item: Item) -> None:
    assert list(problems(item, TASK.full(item))) == []
    german, english = item.text("document_de").splitlines(), item.text("document_en").splitlines()
    assert len(german) == len(english) == 2 * len(item.shards)
    assert [row["shard"] for row in item.data["shards"]] == [
        "\n".join(german[n : n + 2]) for n in range(0, len(german), 2)
    ]
