from itertools import pairwise

import numpy as np
import pytest
from acr_training.calibrate import METHODS, at_rate, best_threshold, calibrate, fitted, intervening, loss
from acr_training.fit import Recipe, fit
from acr_training.learn import decide, regret
from hypothesis import given
from hypothesis import strategies as st
from training.synthetic import world

from acr.controllers.weights import parse
from acr.errors import TrainingError

WORLD = world(400)
CONTENT = fit(WORLD.of("train"), Recipe("linear", "hard", 1.0))


def sharp(factor):
    """The same weights, too sure of themselves by that factor."""
    model = CONTENT["model"]
    rows = [[factor * weight for weight in row] for row in model["weights"]]
    return CONTENT | {"model": model | {"weights": rows, "bias": [factor * b for b in model["bias"]]}}


def bent(content, data):
    weights = parse(content)
    probabilities, right = intervening(content, data)
    return loss(np.array([weights.calibrated(p) for p in probabilities]), right)


def test_too_much_confidence_is_taken_back():
    content = sharp(6.0)
    dev, test = WORLD.of("dev"), WORLD.of("test")
    made = calibrate(content, dev)
    assert bent(made, test) < 0.8 * bent(content, test)
    temperature = fitted(content, dev, "temperature")
    assert 3.0 < temperature["temperature"] <= 8.0


@pytest.mark.parametrize("method", METHODS)
def test_decisions_stay_what_they_were(method):
    dev = WORLD.of("dev")
    content = sharp(3.0)
    made = fitted(content, dev, method)
    assert decide(parse(made), dev) == decide(parse(content), dev)


def test_isotonic_curves_rise_and_load():
    made = fitted(CONTENT, WORLD.of("dev"), "isotonic")
    points = parse(made).confidence
    assert 2 <= len(points) <= 13
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(points))


@given(st.floats(0, 1))
def test_a_rate_is_kept(rate):
    dev = WORLD.of("dev")
    made = parse(at_rate(CONTENT, dev, rate))
    share = sum(decision != "none" for decision in decide(made, dev)) / len(dev)
    assert share <= rate
    assert share >= rate - 0.15, "nor far below it"


def test_the_threshold_of_least_regret():
    dev = WORLD.of("dev")
    lost = {t: regret(dev, decide(parse(CONTENT | {"threshold": t}), dev)) for t in (0.1, 0.5, 0.9)}
    made = best_threshold(CONTENT, dev, list(lost))
    assert regret(dev, decide(parse(made), dev)) == min(lost.values())


def test_wrong_arguments():
    none = WORLD.where(lambda state: False)
    for call in (lambda: calibrate(CONTENT, none), lambda: at_rate(CONTENT, none, 0.5)):
        with pytest.raises(TrainingError, match="dev is empty"):
            call()
    with pytest.raises(TrainingError, match="between 0 and 1"):
        at_rate(CONTENT, WORLD, 1.5)
