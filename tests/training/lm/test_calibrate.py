"""Temperature and threshold."""

from pathlib import Path

import numpy as np
import pytest
from acr_training.lm import calibrate, export, heldout
from acr_training.lm.data import Row

from acr.lm import artefact

from .conftest import Ran

pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers, about themselves

LABELS = ("none", "prune")


def test_the_share_of_interventions_is_kept_to() -> None:
    chances = np.array([[1 - p, p] for p in np.linspace(0.05, 0.95, 19)])
    for rate in (0.0, 0.1, 0.5, 1.0):
        threshold = calibrate.lowest(chances, rate, LABELS)
        acted = np.mean(calibrate.acting(chances, LABELS) >= threshold)
        assert acted <= rate and rate - acted < 1 / 19


def test_the_threshold_of_least_regret() -> None:
    chances = heldout.softmax(np.array([[0.0, 0.0], [0.5, 0.0], [0.6, 0.0], [2.0, 0.0]]))
    rewards = ({"none": 0.0, "prune": 1.0}, {"none": 0.0, "prune": 1.0}, {"none": 1.0, "prune": 0.0})
    rows = [Row(str(n), "dev", "", "none", reward) for n, reward in enumerate((*rewards, rewards[2]))]
    threshold = calibrate.least(chances, rows, LABELS)
    assert calibrate.regret(chances, rows, LABELS, threshold) == 0
    assert calibrate.regret(chances, rows, LABELS, 0.5) == pytest.approx(0.25)
    assert calibrate.regret(chances, rows, LABELS, 0.9) == pytest.approx(0.5)


def test_a_controller_that_is_too_sure_is_flattened(begun: Ran, made_table: Path, tmp_path: Path) -> None:
    made = export.copied(begun.out / "controller", tmp_path / "made")
    found = calibrate.adjust(made, made_table)
    assert found["nll"] <= found["nll_before"] and found["regret"] <= found["regret_before"]
    card = artefact.load(made)
    assert all(0.0 < y < 1.0 for _, y in card.confidence)
    assert (card.temperature, card.threshold) == (found["temperature"], found["threshold"])
    rare = calibrate.adjust(made, made_table, rate=0.2)
    assert rare["intervened"] <= 0.2 and artefact.load(made).threshold == rare["threshold"]
