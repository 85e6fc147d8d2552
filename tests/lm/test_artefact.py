"""The card of a trained controller."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acr.embedded import MODELS
from acr.errors import ConfigError
from acr.lm import artefact
from acr.lm.artefact import Card

CARD = Card("smollm2-135m-instruct", 12, ("none", "consolidate"), (330, 389))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    bent = replace(CARD, confidence=((0.2, 0.1), (0.5, 0.9)))
    artefact.save(bent, tmp_path)
    assert artefact.load(tmp_path) == bent
    artefact.save(CARD, tmp_path)
    assert artefact.load(tmp_path) == CARD
    assert json.loads((tmp_path / artefact.FILE).read_text())["controller"] == "lm"
    assert artefact.where(CARD, tmp_path) == CARD.base
    assert artefact.where(replace(CARD, base="."), tmp_path) == str(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rendering": 99}, "train it anew"),
        ({"controller": "signals"}, "holds the weights of 'signals'"),
        ({"labels": ("consolidate", "prune")}, "labels must be none and"),
        ({"tokens": (1,)}, "each with a token"),
        ({"temperature": 0.0}, "out of its range"),
        ({"threshold": 1.5}, "out of its range"),
        ({"deadline": 0}, "out of its range"),
        ({"confidence": ((0.5, 0.1), (0.5, 0.2))}, "must rise"),
        ({"base_sha256": "0" * 64}, "another file of smollm2"),
    ],
)
def test_a_card_that_does_not_fit_is_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    artefact.save(replace(CARD, **change), tmp_path)
    with pytest.raises(ConfigError, match=told):
        artefact.load(tmp_path)


def test_the_catalogues_own_file_is_accepted(tmp_path: Path) -> None:
    artefact.save(replace(CARD, base_sha256=MODELS[CARD.base].sha256), tmp_path)
    artefact.load(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"labels": 3, "tokens": []}', '{"unknown": 1}'])
def test_what_is_no_card_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / artefact.FILE).write_text(content)
    with pytest.raises(ConfigError, match="does not describe"):
        artefact.load(tmp_path)
    with pytest.raises(ConfigError, match="cannot be read"):
        artefact.load(tmp_path / "nowhere")
