from dataclasses import replace

import numpy as np
import pytest
from acr_training import fit as fitting
from acr_training.data import folds
from acr_training.fit import Recipe, fit, targets
from acr_training.learn import SHARP, chances, decide, regret, simplest, train
from hypothesis import given
from hypothesis import strategies as st
from training.synthetic import shuffled, world

from acr.controllers.features import NAMES
from acr.controllers.weights import parse
from acr.errors import TrainingError

LINEAR, TREES = Recipe("linear", strength=0.3), Recipe("trees", strength=0.3)
VALUES = Recipe("linear", "value", strength=0.03, heat=SHARP)
WORLD = world()


def constants(data):
    return [regret(data, [action] * len(data)) for action in data.actions]


@pytest.mark.parametrize("recipe", [LINEAR, TREES, VALUES], ids=["linear", "trees", "values"])
def test_it_learns_what_there_is_to_learn(recipe):
    weights, report = train(WORLD.of("train"), [recipe])
    test = WORLD.of("dev", "test")
    lost = regret(test, decide(parse(weights), test))
    assert lost < 0.6 * min(constants(test))
    assert report["held_out_regret"] == pytest.approx(lost, abs=0.08), "what it thinks of itself is true"


@pytest.mark.parametrize("recipe", [LINEAR, TREES, VALUES], ids=["linear", "trees", "values"])
def test_it_learns_nothing_from_shuffled_outcomes(recipe):
    weights, _ = train(shuffled(WORLD).of("train"), [recipe])
    test = WORLD.of("dev", "test")
    assert regret(test, decide(parse(weights), test)) > 0.9 * min(constants(test))


@pytest.mark.parametrize("recipe", [LINEAR, TREES], ids=["linear", "trees"])
def test_plain_arithmetic_gives_the_probabilities_of_the_library(recipe, monkeypatch):
    """The weights are read back and held against scikit-learn's own model on states it has not seen."""
    seen = {}
    kind = {"linear": "sklearn.linear_model.LogisticRegression",
            "trees": "sklearn.ensemble.GradientBoostingClassifier"}[recipe.kind]  # fmt: skip
    module, name = kind.rsplit(".", 1)
    original = getattr(__import__(module, fromlist=[name]), name)

    class Recorded(original):
        def fit(self, x, y, sample_weight=None):
            seen["model"] = self
            return super().fit(x, y, sample_weight)

    monkeypatch.setattr(kind, Recorded)
    part = WORLD.of("train")
    weights = parse(fit(part, recipe))
    test = WORLD.of("test")
    x = test.x[:, [NAMES.index(name) for name in weights.features]]
    if recipe.kind == "linear":
        rows, columns = np.nonzero(targets(part, weights.labels, recipe) > fitting.LIGHT)
        all_x = part.x[:, [NAMES.index(name) for name in weights.features]][rows]
        scale = all_x.std(axis=0)
        x = (x - all_x.mean(axis=0)) / np.where(scale == 0, 1.0, scale)
        assert len(columns) >= len(part)
    expected = seen["model"].predict_proba(x)
    assert np.abs(chances(weights, test) - expected).max() < 1e-6


def test_two_labels():
    data = WORLD.where(lambda state: True)
    part = replace(data, rewards=data.rewards[:, :2], actions=data.actions[:2], changed=data.changed[:, :2])
    for recipe in (LINEAR, TREES):
        weights = parse(fit(part, recipe))
        assert weights.labels == ("none", "consolidate")
        assert set(decide(weights, part)) == {"none", "consolidate"}


def test_of_equally_good_recipes_the_simplest_is_taken():
    best, wave = np.full(100, 0.2), np.tile([0.1, -0.1], 50)  # a standard error of 0.01
    assert simplest([best + wave + 0.005, best]) == 0
    assert simplest([best + wave + 0.02, best]) == 1


def test_nothing_to_learn_is_said():
    alike = WORLD.where(lambda state: False)
    with pytest.raises(TrainingError, match="nothing to learn"):
        fit(alike, LINEAR)


def test_what_does_nothing_is_no_target():
    data = WORLD.rows([0, 1, 2])
    data.changed[:, 1] = False
    found = targets(data, data.actions, LINEAR)
    assert (found[:, 1] == 0).all()
    assert found.sum(axis=1) == pytest.approx(1.0)
    data.changed[:, 1] = True


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=40), st.integers(2, 6))
def test_no_group_is_on_both_sides_of_a_fold(groups, count):
    held_out = []
    for train_rows, held in folds(groups, count):
        assert not {groups[i] for i in train_rows} & {groups[i] for i in held}
        assert sorted(train_rows + held) == list(range(len(groups)))
        held_out += held
    assert sorted(held_out) == list(range(len(groups)))
