"""Figures of decisions."""

import numpy as np
import pytest
from acr_training.lm import heldout
from acr_training.lm.data import Row

LABELS = ("none", "prune")
ROWS = [
    Row("a", "dev", "", "none", {"none": 1.0, "prune": 0.2}),
    Row("b", "dev", "", "prune", {"none": 0.0, "prune": 0.6}),
    Row("c", "dev", "", "none", {"none": 0.5}),
]


def test_by_hand() -> None:
    chances = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]])
    found = heldout.figures(chances, ROWS, LABELS, penalty=-1.0)
    assert found["states"] == 3
    assert found["accuracy"] == pytest.approx(1 / 3, abs=1e-6)
    assert found["reward"] == pytest.approx((1.0 + 0.0 - 1.0) / 3)
    assert found["regret"] == pytest.approx((0.0 + 0.6 + 1.5) / 3, abs=1e-6)
    assert found["nll"] == pytest.approx(-np.log([0.9, 0.2, 0.3]).mean(), abs=1e-6)
    assert found["intervened"] == pytest.approx(1 / 3, abs=1e-6)


def test_constant_decisions() -> None:
    found = heldout.constant(ROWS, LABELS)
    assert found["none"]["intervened"] == 0 and found["prune"]["intervened"] == 1
    assert found["none"]["regret"] == pytest.approx(0.2)


def test_softmax_bears_large_logits() -> None:
    found = heldout.softmax(np.array([[1e4, 0.0], [0.0, 0.0]]))
    assert found.tolist() == [[1.0, 0.0], [0.5, 0.5]]


def test_better_is_what_loses_less_then_what_is_more_likely() -> None:
    old = {"regret": 0.2, "nll": 1.0, "intervened": 0.5}
    assert heldout.better(old | {"regret": 0.1, "nll": 9.0}, old)
    assert heldout.better(old | {"nll": 0.9}, old)
    assert not heldout.better(dict(old), old)
    assert heldout.better(old, None)


def test_interventions_that_earn_nothing_are_no_better() -> None:
    old = {"regret": 0.2, "nll": 1.0, "intervened": 0.25}
    assert not heldout.better({"regret": 0.199, "nll": 0.5, "intervened": 0.5}, old)
    assert heldout.better({"regret": 0.18, "nll": 2.0, "intervened": 0.5}, old)
