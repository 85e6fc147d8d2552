from itertools import pairwise

import pytest
from acr_training.calibrate import METHODS, at_rate, best_threshold, calibrate, confidences, fitted, loss
from acr_training.evaluate import calibration_error
from acr_training.fit import Recipe, fit
from acr_training.learn import decide, regret
from hypothesis import given
from hypothesis import strategies as st
from training.synthetic import shuffled, world

from acr.controllers.weights import parse
from acr.errors import TrainingError

WORLD = world(400)
HARD = shuffled(WORLD)
"""In which the controller is right by chance only."""
CONTENT = fit(WORLD.of("train"), Recipe("linear", "hard", 1.0))


def sharp(factor):
    """The same weights, too sure of themselves by that factor."""
    model = CONTENT["model"]
    rows = [[factor * weight for weight in row] for row in model["weights"]]
    return CONTENT | {"model": model | {"weights": rows, "bias": [factor * b for b in model["bias"]]}}


def bent(content, data):
    return loss(*confidences(content, data))


def test_too_much_confidence_is_taken_back():
    content = sharp(6.0)
    dev, test = HARD.of("dev"), HARD.of("test")
    made = calibrate(content, dev)
    assert bent(made, test) < 0.5 * bent(content, test)
    temperature = fitted(content, dev, "temperature")
    assert temperature["temperature"] > 3.0
    assert bent(temperature, test) < bent(content, test)


@pytest.mark.parametrize("method", METHODS)
def test_decisions_stay_what_they_were(method):
    dev = WORLD.of("dev")
    content = sharp(3.0)
    made = fitted(content, dev, method)
    assert decide(parse(made), dev) == decide(parse(content), dev)


def test_isotonic_curves_rise_on_either_side_of_the_threshold():
    made = parse(fitted(CONTENT, WORLD.of("dev"), "isotonic"))
    assert all(a[0] < b[0] for a, b in pairwise(made.confidence))
    for side in (True, False):
        part = [point for point in made.confidence if (point[0] >= made.threshold) == side]
        assert 2 <= len(part) <= 8
        assert all(a[1] <= b[1] for a, b in pairwise(part))


@pytest.mark.parametrize("threshold", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("of", [WORLD, HARD], ids=["easy", "hard"])
def test_what_is_said_to_be_right_is_right_ties_included(of, threshold):
    """Also of a controller that intervenes where it need not, and of one that seldom does."""
    content = sharp(6.0) | {"threshold": threshold}
    said, right = confidences(calibrate(content, of.of("dev")), of.of("test"))
    before, same = confidences(content, of.of("test"))
    assert right.tolist() == same.tolist()
    after = calibration_error(said.tolist(), right.tolist())
    assert after < (0.05 if of is WORLD else 0.6 * calibration_error(before.tolist(), right.tolist()))


def test_so_many_states_so_much_certainty():
    dev = WORLD.of("dev")
    few = dev.rows(range(20))
    said, _ = confidences(fitted(CONTENT, few, "isotonic"), dev)
    assert said.max() <= 21 / 22


@pytest.mark.parametrize("threshold", [0.0, 2.0])
@pytest.mark.parametrize("method", METHODS)
def test_who_always_or_never_intervenes_goes_on(method, threshold):
    dev = WORLD.of("dev")
    content = sharp(3.0) | {"threshold": threshold}
    assert decide(parse(fitted(content, dev, method)), dev) == decide(parse(content), dev)


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
