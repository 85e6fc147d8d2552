"""What a step is told."""

from pathlib import Path

import pytest
from acr_training.commands.lm import values
from acr_training.lm import recipe

from acr.errors import ConfigError

CONFIGS = Path(recipe.__file__).parents[2] / "configs"


@pytest.mark.parametrize("step", ["sft", "dpo", "grpo"])
def test_the_files_that_come_with_it_are_whole(step: recipe.Step) -> None:
    start = None if step == "sft" else "x"
    told = recipe.load(step, CONFIGS / f"{step}.toml", table="t", out="o", start=start)
    assert told.step == step and told.table == Path("t")


def test_flags_go_over_the_file_and_none_is_not_given(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('rate = 1e-5\nseed = 7\ntable = "a"\nout = "b"\n')
    told = recipe.load("sft", file, rate=3e-4, seed=None)
    assert (told.rate, told.seed, told.table) == (3e-4, 7, Path("a"))


@pytest.mark.parametrize(
    ("step", "given", "told"),
    [
        ("sft", {}, "table: Field required"),
        ("sft", {"table": "a", "out": "b", "epoch": 3}, "epoch: Extra inputs"),
        ("sft", {"table": "a", "out": "b", "penalty": -1.0}, "penalty is not for sft"),
        ("dpo", {"table": "a", "out": "b"}, "give start"),
        ("grpo", {"table": "a", "out": "b", "start": "c", "samples": 7}, "multiple of samples"),
        ("sft", {"table": "a", "out": "b", "rate": 0}, "rate: "),
    ],
)
def test_what_does_not_fit_is_told(step: recipe.Step, given: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        recipe.load(step, None, **given)


def test_pairs_of_names_and_values() -> None:
    assert values(["rate=1e-3", "epochs=2", "base=smollm2", "shuffle_labels=true"]) == {
        "rate": 1e-3,
        "epochs": 2,
        "base": "smollm2",
        "shuffle_labels": True,
    }
    with pytest.raises(ConfigError, match="NAME=VALUE"):
        values(["rate"])
