"""Makes the `signals` controller's probabilities mean what they say, and sets how often it intervenes.

The probability in question is that intervening, in the way it would, beats doing nothing. Temperature scaling
(Guo et al., arXiv 1706.04599) divides the scores by one number; isotonic regression (Zadrozny and Elkan,
2002) bends the probabilities along a rising curve. Which one is used is decided on held-out folds by
log-likelihood: with few states the curve overfits.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from acr.controllers.weights import parse
from acr.errors import TrainingError
from acr_training.data import Data, Floats, folds
from acr_training.label import MARGIN
from acr_training.learn import chances, decide, regret

Method = Literal["none", "temperature", "isotonic"]
METHODS: tuple[Method, ...] = ("none", "temperature", "isotonic")
TEMPERATURES = tuple(float(t) for t in np.geomspace(0.25, 8.0, 41))
POINTS = 12
"""Points of an isotonic curve that are kept at most."""
EDGE = 1e-3
"""Probabilities are kept this far from 0 and 1: no number of states shows certainty."""

Bools = NDArray[np.bool_]
Curve = Callable[[Floats], Floats]


def intervening(content: Mapping[str, Any], data: Data) -> tuple[Floats, Bools]:
    """Probability of an intervention at each state, and whether the one it would make beats none."""
    weights = parse(content)
    found = chances(weights, data)
    if len(weights.labels) == 1:
        return np.zeros(len(data)), np.zeros(len(data), dtype=bool)
    columns = [data.column(weights.labels[1 + choice]) for choice in found[:, 1:].argmax(axis=1)]
    ahead = data.rewards[np.arange(len(data)), columns] - data.rewards[:, 0]
    return 1.0 - found[:, 0], ahead > MARGIN


def calibrate(content: dict[str, Any], data: Data, method: Method | None = None) -> dict[str, Any]:
    """The weights with temperature or curve fitted to `data`; the best method if none is named.

    The threshold moves along, so that decisions stay what they were. Raises `TrainingError` without data.
    """
    if not len(data):
        raise TrainingError("no states to calibrate on: the split dev is empty")
    plain = content | {"temperature": 1.0, "confidence": []}
    if method is None:
        scored = [(round(held_out(plain, data, name), 6), place) for place, name in enumerate(METHODS)]
        method = METHODS[min(scored)[1]]
    return fitted(plain, data, method)


def fitted(content: dict[str, Any], data: Data, method: Method) -> dict[str, Any]:
    """The weights calibrated by that method. What it intervenes at stays the same."""
    before = chances(parse(content), data)[:, 0]
    if method == "temperature":
        content = content | {"temperature": min(TEMPERATURES, key=lambda t: loss_at(content, data, t))}
    if method == "isotonic":
        content = content | {"confidence": curve(*intervening(content, data))}
    after = chances(parse(content), data)[:, 0]
    return content | {"threshold": moved(content["threshold"], 1.0 - before, 1.0 - after)}


def moved(threshold: float, before: Floats, after: Floats) -> float:
    """The threshold on the new probabilities that parts the states as the old one did, where one does."""
    below, above = after[before < threshold], after[before >= threshold]
    if not len(below) or not len(above) or below.max() >= above.min():
        return threshold
    return float((below.max() + above.min()) / 2)


def loss_at(content: Mapping[str, Any], data: Data, temperature: float) -> float:
    return loss(*intervening({**content, "temperature": temperature}, data))


def loss(probabilities: Floats, right: Bools) -> float:
    """Mean negative log-likelihood in nats."""
    kept = np.clip(probabilities, EDGE, 1.0 - EDGE)
    return float(-np.log(np.where(right, kept, 1.0 - kept)).mean())


def curve(probabilities: Floats, right: Bools) -> list[list[float]]:
    """Points of the isotonic curve, rising in both coordinates."""
    from sklearn.isotonic import IsotonicRegression

    model = IsotonicRegression(y_min=EDGE, y_max=1.0 - EDGE, out_of_bounds="clip")
    model.fit(probabilities, right.astype(float))
    points = list(zip(model.X_thresholds_.tolist(), model.y_thresholds_.tolist(), strict=True))
    step = max(1, -(-len(points) // POINTS))
    kept = [*points[:-1:step], points[-1]]
    return [list(point) for index, point in enumerate(kept) if index == 0 or point[0] > kept[index - 1][0]]


def held_out(content: dict[str, Any], data: Data, method: Method, parts: int = 5) -> float:
    """Loss of a method on held-out folds."""
    total = 0.0
    for train, held in folds(data.groups, parts):
        if not train:
            return 0.0
        made = fitted(content, data.rows(train), method)
        out = data.rows(held)
        probabilities, right = intervening(made, out)
        weights = parse(made)
        bent = np.array([weights.calibrated(float(p)) for p in probabilities])
        total += loss(bent, right) * len(out)
    return total / len(data)


def at_rate(content: dict[str, Any], data: Data, rate: float) -> dict[str, Any]:
    """The weights with the threshold at which at most that share of the states is intervened at.

    Raises `TrainingError` for a rate outside of [0, 1], and without data.
    """
    if not 0.0 <= rate <= 1.0:
        raise TrainingError("a rate is between 0 and 1")
    if not len(data):
        raise TrainingError("no states to set a rate on: the split dev is empty")
    ordered = np.sort(intervening(content, data)[0])[::-1]
    allowed = int(rate * len(ordered))
    if allowed >= len(ordered):
        return content | {"threshold": 0.0}
    # Just above the first one that is too many: equal probabilities are all in or all out.
    return content | {"threshold": float(np.nextafter(ordered[allowed], 2.0))}


def best_threshold(content: dict[str, Any], data: Data, thresholds: Sequence[float]) -> dict[str, Any]:
    """The weights with the threshold of least regret on `data`; the middle one of equals."""
    weights = {t: parse(content | {"threshold": t}) for t in thresholds}
    lost = {t: round(regret(data, decide(weights[t], data)), 9) for t in thresholds}
    least = [t for t in thresholds if lost[t] == min(lost.values())]
    return content | {"threshold": least[len(least) // 2]}
