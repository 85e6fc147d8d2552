"""From a table of outcomes to rows."""

from pathlib import Path
from typing import Any

import pytest
from acr_training import table
from acr_training.lm import data
from acr_training.lm.data import Row
from acr_training.records import NONE
from support.lm import ACTIONS, examples, write_table

from acr.errors import TrainingError
from acr.lm import trunk


@pytest.fixture(scope="module")
def tokenizer(tiny_trunk: Path) -> Any:
    return trunk.tokenizer(str(tiny_trunk))


def test_rows_carry_what_the_table_knows(made_table: Path, tokenizer: Any) -> None:
    found = data.load(made_table, tokenizer)
    assert found.labels == (NONE, "consolidate", "prune") and set(found.labels) == set(ACTIONS)
    assert found.letters == {NONE: " A", "consolidate": " B", "prune": " C"}
    by_state = {state.id: (state, example) for state, example in examples(150)}
    assert len(found.rows) == 150
    for row in found.rows:
        state, example = by_state[row.state]
        assert (row.split, row.label, dict(row.rewards)) == (state.split, example.label, example.rewards)
        assert row.best == max(example.rewards.values())
        assert row.reward("unknown", -2.0) == -2.0
        assert str(state.messages[-1]["content"]).split()[0] in row.prompt


def test_labels_of_an_earlier_step_keep_their_letters(made_table: Path, tokenizer: Any) -> None:
    found = data.load(made_table, tokenizer, ("none", "recap", "prune", "consolidate"))
    assert found.letters["consolidate"] == " D"
    with pytest.raises(TrainingError, match="did not know: prune"):
        data.load(made_table, tokenizer, ("none", "consolidate"))


def test_shuffling_moves_the_train_split_only(made_table: Path, tokenizer: Any) -> None:
    true = data.load(made_table, tokenizer)
    mixed = data.shuffled(true, 1)
    assert [row.prompt for row in mixed.rows] == [row.prompt for row in true.rows]
    assert mixed.of("dev") == true.of("dev") and mixed.of("test") == true.of("test")
    assert sorted(row.label for row in mixed.of("train")) == sorted(row.label for row in true.of("train"))
    same = sum(one.label == two.label for one, two in zip(mixed.of("train"), true.of("train"), strict=True))
    assert same < 0.6 * len(true.of("train"))
    assert mixed == data.shuffled(true, 1) != data.shuffled(true, 2)


ROWS = [
    Row("a", "train", "a", "none", {"none": 1.0, "prune": 0.0, "recap": 1.01, "reask": 1.0}),
    Row("b", "train", "b", "prune", {"none": 0.0, "prune": 1.0, "recap": 0.97, "reask": 0.5}),
    Row("c", "train", "c", "none", {"none": 0.5, "prune": 0.5, "recap": 0.2, "reask": 0.5}),
]


def test_the_better_one_of_a_pair_is_what_should_be_decided() -> None:
    found = data.preferences(ROWS, margin=0.05, each=9, seed=1)
    doing = {(one.prompt, one.better, one.worse) for one in found if one.better != NONE}
    assert doing == {("b", "prune", NONE), ("b", "prune", "reask")}, "recap is as good as prune"
    leaving = [one for one in found if one.better == NONE]
    assert len(leaving) == len(doing) and {one.prompt for one in leaving} <= {"a", "c"}
    drawn = {
        one.worse for seed in range(30) for one in data.preferences(ROWS, 0.05, 9, seed) if one.prompt == "a"
    }
    assert drawn == {"prune", "recap", "reask"}, "ties go to none"


def test_pairs_of_a_state_are_drawn_by_seed() -> None:
    for seed in range(5):
        found = data.preferences(ROWS, margin=0.05, each=1, seed=seed)
        assert len(found) == 2 and found == data.preferences(ROWS, margin=0.05, each=1, seed=seed)
    assert data.preferences(ROWS[::2], margin=0.05, each=3, seed=1) == []


def test_a_table_with_nothing_to_hold_out_is_refused(tmp_path: Path, tokenizer: Any) -> None:
    write_table(tmp_path, 30)
    kept = {state.id for state in table.states(tmp_path).values() if state.split == "train"}
    table.write(tmp_path / table.EXAMPLES, [one for one in table.examples(tmp_path) if one.state in kept])
    with pytest.raises(TrainingError, match="no labelled state in the dev split"):
        data.load(tmp_path, tokenizer)
