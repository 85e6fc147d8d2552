from pathlib import Path

import pytest
from acr_training.config import load

from acr.errors import ConfigError

ROOT = Path(__file__).parents[2]


def written(folder, text):
    path = folder / "c.toml"
    path.write_text(text)
    return path


def test_flags_go_over_the_file(tmp_path):
    file = written(
        tmp_path,
        'out = "a"\nseed = 3\n[model]\ntemperature = 0.1\nmax_tokens = 9\n[[source]]\ntask = "math"\nitems = 2\n',
    )
    plan = load(file, out=tmp_path, model={"max_tokens": 5, "base_url": None}, concurrency=None)
    assert (plan.out, plan.seed, plan.concurrency) == (tmp_path, 3, 4)
    assert (plan.model.temperature, plan.model.max_tokens, plan.model.base_url) == (0.1, 5, None)
    assert (plan.judge.temperature, plan.judge.max_tokens) == (0.0, 8)
    assert plan.source[0].items == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sede = 1\n", "sede"),
        ('[[source]]\ntask = "math"\ntraces = "x"\n', "a source is one of"),
        ("[[source]]\nitems = 2\n", "a source is one of"),
        ("out =", "not valid TOML"),
        ('engine = "slurm"\n[[source]]\ntask = "math"\n', "engine"),
        ("", "source"),
    ],
)
def test_mistakes_are_named(tmp_path, text, message):
    with pytest.raises(ConfigError, match=message):
        load(written(tmp_path, text), out=tmp_path)
    with pytest.raises(ConfigError, match="cannot read"):
        load(tmp_path / "none.toml", out=tmp_path)


def test_what_is_missing_is_said_as_one_gives_it():
    with pytest.raises(ConfigError, match=r"^--out is required$"):
        load(None, source=[{"task": "math"}])
    with pytest.raises(ConfigError, match=r"^say what to collect from: --task"):
        load(None, out=Path("a"))


def test_a_key_is_never_written_down(tmp_path):
    plan = load(None, out=tmp_path, source=[{"task": "math"}], model={"key": "secret"})
    assert plan.model.key == "secret"
    assert "secret" not in plan.model_dump_json() + repr(plan)


@pytest.mark.parametrize("name", ["collect.toml", "quick.toml"])
def test_the_files_that_come_with_it_are_right(name, tmp_path):
    assert load(ROOT / "training" / "configs" / name, out=tmp_path).source
