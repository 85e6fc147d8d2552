"""From a table of outcomes to rows."""

from pathlib import Path
from typing import Any

import pytest
from acr_training import table
from acr_training.lm import data
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


def test_a_table_with_nothing_to_hold_out_is_refused(tmp_path: Path, tokenizer: Any) -> None:
    write_table(tmp_path, 30)
    kept = {state.id for state in table.states(tmp_path).values() if state.split == "train"}
    table.write(tmp_path / table.EXAMPLES, [one for one in table.examples(tmp_path) if one.state in kept])
    with pytest.raises(TrainingError, match="no labelled state in the dev split"):
        data.load(tmp_path, tokenizer)
