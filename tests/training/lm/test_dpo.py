"""Preferences between operators move the decisions."""

from pathlib import Path

import pytest

from acr.errors import TrainingError

from .conftest import Ran, Train

pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers, about themselves


def test_pairs_teach_which_operator_is_better(begun: Ran, train: Train) -> None:
    ran = train("dpo", start=begun.out, rate=5e-3, epochs=3, batch=16)
    assert begun.results["test"]["accuracy"] < 0.8
    assert ran.results["test"]["accuracy"] > 0.9
    assert ran.results["test"]["regret"] < 0.2 * begun.results["test"]["regret"]


def test_without_a_pair_there_is_nothing_to_do(begun: Ran, train: Train) -> None:
    with pytest.raises(TrainingError, match="no pair"):
        train("dpo", start=begun.out, margin=5.0)


def test_it_goes_on_from_a_run_of_the_same_trunk_only(begun: Ran, train: Train, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="was trained on 2 layers"):
        train("dpo", start=begun.out, layers=1)
