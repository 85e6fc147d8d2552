"""The trunk: from a folder, from the real file, and what is refused."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from acr.embedded.catalogue import Model
from acr.errors import ModelError
from acr.lm import trunk
from acr.lm.graph import Scorer


def test_the_first_layers_of_a_folder(tiny_trunk: Path) -> None:
    one, two = trunk.load(str(tiny_trunk), 1), trunk.load(str(tiny_trunk), 2)
    assert len(one.weights) < len(two.weights) and one.shape.layers == 1
    assert all(np.array_equal(weights, two.weights[name]) for name, weights in one.weights.items())
    assert trunk.tokenizer(str(tiny_trunk)).encode(" A").ids == one.tokenizer.encode(" A").ids


@pytest.mark.parametrize("layers", [0, 3])
def test_layers_that_are_not_there(tiny_trunk: Path, layers: int) -> None:
    with pytest.raises(ModelError, match="has 2 layers"):
        trunk.load(str(tiny_trunk), layers)


def test_another_kind_of_model_is_refused(tiny_trunk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(tiny_trunk, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "gpt2"}))
    with pytest.raises(ModelError, match="type llama"):
        trunk.load(str(folder), 1)
    (folder / "config.json").write_text("no json")
    with pytest.raises(ModelError, match="does not hold a model"):
        trunk.load(str(folder), 1)


def test_a_model_that_is_not_here_says_how_to_get_it(cache: Path) -> None:
    with pytest.raises(ModelError, match="acr model pull smollm2-135m-instruct"):
        trunk.load("smollm2-135m-instruct", 12)


@pytest.mark.model
def test_the_real_model_knows_a_capital(small: Model) -> None:
    """All 30 layers, tokenizer and graph together: any one of them wrong and this fails."""
    loaded = trunk.load(small.name, 30)
    cities = [" London", " Berlin", " Paris", " Rome", " Madrid"]
    ids = [loaded.tokenizer.encode(city).ids for city in cities]
    assert all(len(one) == 1 for one in ids)
    scorer = Scorer(loaded, [one[0] for one in ids])
    for country, capital in (("France", " Paris"), ("Germany", " Berlin"), ("Italy", " Rome")):
        logits = scorer.logits(f"The capital of {country} is")
        assert cities[int(logits.argmax())] == capital


@pytest.mark.model
def test_digits_stand_alone_and_control_tokens_are_text(small: Model) -> None:
    tokenizer = trunk.tokenizer(small.name)
    assert tokenizer.encode("1234").tokens == ["1", "2", "3", "4"]
    assert len(tokenizer.encode("<|im_end|>").ids) > 1
    assert tokenizer.decode(tokenizer.encode("naïve — 你好 👩‍👧").ids) == "naïve — 你好 👩‍👧"
