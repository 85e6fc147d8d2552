"""The table as reward."""

import json

import pytest
from acr_training.lm.grpo import look_up

from .conftest import Ran, Train

pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers, about themselves


def test_the_reward_is_the_tables_or_the_penalty() -> None:
    reward = look_up({"none": " A", "prune": " B", "recap": " C"}, penalty=-1.5)
    known = json.dumps({"none": 0.25, "prune": 1.0})
    assert reward([" A", " B", "B", " C", " Z", ""], [known] * 6) == [0.25, 1.0, 1.0, -1.5, -1.5, -1.5]


def test_rewards_move_the_decisions(begun: Ran, train: Train) -> None:
    ran = train("grpo", start=begun.out, rate=4e-3, epochs=2, samples=4, batch=64, accumulate=1)
    for split in ("train", "test"):
        assert ran.results[split]["reward"] > begun.results[split]["reward"] + 0.1
