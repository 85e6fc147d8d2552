"""Makes the `signals` controller's probabilities mean what they say, and sets how often it intervenes.

The probability in question is that what it decides is right: nothing else would have been better by more
than the margin of labels, so ties count as right, as they do in `acr_training.evaluate`. Temperature scaling
(Guo et al., arXiv 1706.04599) divides the scores by one number; isotonic regression (Zadrozny and Elkan,
2002) bends the probabilities along a rising curve, one for the states that are left alone and one for the
others. Which one is used is decided on held-out folds by log-likelihood: with few states the curve overfits.
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
POINTS = 6
"""Points of an isotonic curve that are kept at most, on either side of the threshold."""
EDGE = 1e-3
"""Probabilities are kept this far from 0 and 1 where their likelihood is measured."""

Bools = NDArray[np.bool_]
Curve = Callable[[Floats], Floats]


def intervening(content: Mapping[str, Any], data: Data) -> tuple[Floats, Bools, Bools]:
    """Of each state the probability of an intervention, whether one is made, and whether that is right."""
    weights = parse(content)
    found = chances(weights, data)
    columns = [data.column(name) for name in decide(weights, data, found)]
    behind = data.rewards.max(axis=1) - data.rewards[np.arange(len(data)), columns]
    return 1.0 - found[:, 0], np.array(columns, dtype=np.int64) > 0, behind <= MARGIN


def confidences(content: Mapping[str, Any], data: Data) -> tuple[Floats, Bools]:
    """Of each decision the probability of being right that serving gives, and whether it is."""
    weights = parse(content)
    chance, acts, right = intervening(content, data)
    bent = np.array([weights.calibrated(float(each)) for each in chance])
    return np.where(acts, bent, 1.0 - bent), right


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
    before, acts, right = intervening(content, data)
    speaks = acts == right  # for intervening
    if method == "temperature":
        best = min(TEMPERATURES, key=lambda t: loss(at(content, data, t), speaks))
        content = content | {"temperature": best}
    after = at(content, data, content["temperature"])
    threshold = moved(content["threshold"], before, after)
    if method == "isotonic":
        content = content | {"confidence": curve(after, acts, right, threshold)}
    return content | {"threshold": threshold}


def at(content: Mapping[str, Any], data: Data, temperature: float) -> Floats:
    """The probabilities of an intervention at that temperature."""
    return 1.0 - chances(parse({**content, "temperature": temperature}), data)[:, 0]


def moved(threshold: float, before: Floats, after: Floats) -> float:
    """The threshold on the new probabilities that parts the states as the old one did, where one does."""
    below, above = after[before < threshold], after[before >= threshold]
    if not len(above):
        return max(threshold, float(np.nextafter(below.max(), 2.0)))
    if not len(below):
        return min(threshold, float(above.min()))
    if below.max() >= above.min():
        return threshold
    return float((below.max() + above.min()) / 2)


def loss(probabilities: Floats, right: Bools) -> float:
    """Mean negative log-likelihood in nats."""
    kept = np.clip(probabilities, EDGE, 1.0 - EDGE)
    return float(-np.log(np.where(right, kept, 1.0 - kept)).mean())


def curve(chance: Floats, acts: Bools, right: Bools, threshold: float) -> list[list[float]]:
    """Points of the map from the probability of an intervention to that of its being right.

    Below the threshold it is one minus the probability that leaving alone is right. Each side reaches up to
    the threshold, so that nothing is read between the two.
    """
    points: list[list[float]] = []
    if not acts.all():
        points += rising(chance[~acts], ~right[~acts])
        points += [[float(np.nextafter(threshold, 0.0)), points[-1][1]]]
    if acts.any():
        above = rising(chance[acts], right[acts])
        points += [[threshold, above[0][1]], *above]
    return [point for index, point in enumerate(points) if not index or point[0] > points[index - 1][0]]


def rising(chance: Floats, right: Bools) -> list[list[float]]:
    """Points of the isotonic curve, rising in both coordinates.

    Where all of n states are right, the next one is so with a probability of n + 1 in n + 2 (Laplace):
    nothing is held for surer.
    """
    from sklearn.isotonic import IsotonicRegression

    edge = 1.0 / (len(chance) + 2)
    model = IsotonicRegression(y_min=edge, y_max=1.0 - edge, out_of_bounds="clip")
    model.fit(chance, right.astype(float))
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
        total += loss(*confidences(made, data.rows(held))) * len(held)
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
