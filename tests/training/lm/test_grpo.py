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
    ran = train("grpo", start=begun.out, rate=3e-3, epochs=1, samples=4, batch=32, accumulate=1)
    assert ran.results["train"]["reward"] > begun.results["train"]["reward"] + 0.1
    assert ran.results["test"]["reward"] > begun.results["test"]["reward"] + 0.1
