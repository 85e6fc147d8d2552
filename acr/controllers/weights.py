"""Weights of the `signals` controller: a JSON file, checked when it is read, and plain arithmetic over it.

    {"schema": 1, "controller": "signals", "features": ["stale", …], "labels": ["none", "consolidate", …],
     "model": {"kind": "linear", "weights": [[…] a label], "bias": [… a label]},
     "temperature": 1.0, "threshold": 0.5, "confidence": [[p, q], …], "features_version": 1, "about": {…}}

The other kind of model is `trees`: `{"kind": "trees", "bias": […], "trees": [[tree a label], …]}`, where a
tree is a number or `[feature, threshold, tree if at most, tree if above]`. Scores of labels are what the
trees give, added up. Probabilities are softmax(scores / temperature).
"""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from math import exp, isfinite
from pathlib import Path
from typing import Any

from acr.controllers import features
from acr.errors import ConfigError

SCHEMA = 1
FILE = "controller.json"
"""Name of the file in a folder that `acr train` makes."""
SHIPPED = "signals.json"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Weights:
    """A trained model, as data."""

    features: tuple[str, ...]
    labels: tuple[str, ...]
    """`none` first, then operators."""
    bias: tuple[float, ...]
    linear: tuple[tuple[float, ...], ...] = ()
    """A row a label; empty for trees."""
    trees: tuple[tuple[Any, ...], ...] = ()
    """Rounds of one tree a label; empty for a linear model."""
    temperature: float = 1.0
    threshold: float = 0.5
    """Probability of an intervention from which one is made."""
    confidence: tuple[tuple[float, float], ...] = ()
    """Points of the map from that probability to one that intervening is right, or as good as anything; none:
    as it is."""

    def probabilities(self, values: Sequence[float]) -> list[float]:
        """Of each label, for values of the features in order."""
        if self.linear:
            scores = [
                sum(w * v for w, v in zip(row, values, strict=True)) + b
                for row, b in zip(self.linear, self.bias, strict=True)
            ]
        else:
            scores = list(self.bias)
            for trees in self.trees:
                for index, tree in enumerate(trees):
                    scores[index] += leaf(tree, values)
        highest = max(scores)
        powers = [exp((score - highest) / self.temperature) for score in scores]
        total = sum(powers)
        return [power / total for power in powers]

    def calibrated(self, probability: float) -> float:
        """The probability that intervening is right or as good, linear between the points of `confidence`."""
        return along(self.confidence, probability)


def along(points: Sequence[tuple[float, float]], x: float) -> float:
    """What a curve through `points` gives at `x`, flat beyond its ends; without points, `x` itself."""
    if not points:
        return x
    place = bisect_right(points, x, key=lambda point: point[0])
    if place == 0:
        return points[0][1]
    if place == len(points):
        return points[-1][1]
    (x0, y0), (x1, y1) = points[place - 1], points[place]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def leaf(tree: Any, values: Sequence[float]) -> float:
    """The value at the leaf of a tree that `values` lead to."""
    while isinstance(tree, list | tuple):
        tree = tree[2] if values[tree[0]] <= tree[1] else tree[3]
    return float(tree)


def load(place: str = "") -> Weights:
    """The weights in a folder or a file; those shipped with acr if none is named. Raises `ConfigError`."""
    path = Path(place)
    try:
        if not place:
            text = files("acr.data").joinpath(SHIPPED).read_text(encoding="utf-8")
            place = "the shipped weights"
        else:
            text = (path / FILE if path.is_dir() else path).read_text(encoding="utf-8")
        content = json.loads(text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not JSON"
        raise ConfigError(f"cannot read weights of the signals controller from {place}: {reason}") from error
    try:
        return parse(content)
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ConfigError(f"{place}: not weights of the signals controller ({error!r})") from error


def parse(content: Mapping[str, Any]) -> Weights:
    """Weights from plain data. Raises `ConfigError`, or a plain error for data of the wrong shape."""
    if not isinstance(content, Mapping):
        raise TypeError("not an object")
    if content.get("controller") != "signals" or content.get("schema") != SCHEMA:
        found = f"{content.get('controller')!r}, schema {content.get('schema')!r}"
        raise ConfigError(f"wanted are weights of 'signals', schema {SCHEMA}; these are of {found}")
    if content["features_version"] != features.VERSION:
        raise ConfigError(
            f"made for version {content['features_version']} of the features, and this acr has version "
            f"{features.VERSION}: train anew (acr train signals)"
        )
    names, labels = tuple(content["features"]), tuple(content["labels"])
    unknown = [name for name in names if name not in features.NAMES]
    if unknown:
        raise ConfigError(f"this acr does not know the feature {unknown[0]!r}: train anew, or update acr")
    if not labels or labels[0] != NONE:
        raise ConfigError("the first label must be 'none'")
    model = content["model"]
    bias = tuple(map(number, model["bias"]))
    linear: tuple[tuple[float, ...], ...] = ()
    trees: tuple[tuple[Any, ...], ...] = ()
    if model["kind"] == "linear":
        linear = tuple(tuple(map(number, row)) for row in model["weights"])
    elif model["kind"] == "trees":
        trees = tuple(tuple(checked(tree, len(names)) for tree in round) for round in model["trees"])
    else:
        raise ConfigError(f"there is no model {model['kind']!r}; known: linear, trees")
    if (
        len(bias) != len(labels)
        or any(len(row) != len(names) for row in linear)
        or (linear and len(linear) != len(labels))
        or any(len(round) != len(labels) for round in trees)
    ):
        raise ConfigError("numbers of weights, labels and features do not fit together")
    temperature = number(content.get("temperature", 1.0))
    if temperature <= 0:
        raise ConfigError("the temperature must be above 0")
    points = tuple((number(x), number(y)) for x, y in content.get("confidence", ()))
    if any(a[0] >= b[0] for a, b in pairwise(points)):
        raise ConfigError("the points of 'confidence' must rise")
    threshold = number(content.get("threshold", 0.5))
    return Weights(names, labels, bias, linear, trees, temperature, threshold, points)


def number(value: Any) -> float:
    """A finite number. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def checked(tree: Any, count: int) -> Any:
    """A tree of well-formed nodes over `count` features. Raises ValueError."""
    if not isinstance(tree, list):
        return number(tree)
    feature, threshold, low, high = tree
    if not isinstance(feature, int) or not 0 <= feature < count:
        raise ValueError(f"{feature!r} is not the number of a feature")
    return (feature, number(threshold), checked(low, count), checked(high, count))
