"""Chooses how to fit the `signals` controller, and fits it.

Every recipe is fitted and judged on held-out folds of the training split, by regret: what its decisions lose
against the best action of the table. Of those that are as good as the best one, but for its standard error,
the simplest is fitted to all of it (Breiman et al., Classification and Regression Trees, 1984, section
3.4.3): among many recipes and few states the best one is so by luck.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from acr.controllers.features import NAMES
from acr.controllers.weights import Weights, parse
from acr.errors import TrainingError
from acr_training.data import Data, Floats, folds
from acr_training.fit import Features, Kind, Recipe, Target, fit, names_of
from acr_training.label import MARGIN
from acr_training.records import NONE

KINDS: tuple[tuple[Kind, tuple[float, ...]], ...] = (
    ("linear", (0.03, 0.1, 0.3, 1.0)),
    ("trees", (0.2, 0.5)),
)
TARGETS: tuple[Target, ...] = ("soft", "hard")
PENALTIES = (1e-3, 3e-3, 1e-2, 3e-2)
"""Strengths of fits by value."""
SHARP = 0.03
"""Heat of fits by value: nearly the best one, and still probabilities to calibrate."""
SETS: tuple[Features, ...] = ("rules", "core", "all")
# In the order in which equally good ones are preferred: by value first, then as they can learn more.
RECIPES = (
    *(Recipe("linear", "value", strength, features, SHARP) for strength in PENALTIES for features in SETS),
    *(
        Recipe(kind, target, strength, features)
        for kind, strengths in KINDS
        for target in TARGETS
        for strength in strengths
        for features in SETS
    ),
)
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def chances(weights: Weights, data: Data) -> Floats:
    """(states, labels): probabilities, by the arithmetic that serves."""
    columns = [NAMES.index(name) for name in weights.features]
    return np.array([weights.probabilities(row) for row in data.x[:, columns].tolist()]).reshape(
        len(data), len(weights.labels)
    )


def decide(weights: Weights, data: Data, found: Floats | None = None) -> list[str]:
    """What the controller decides at each state: an operator or `none`. `found` are its `chances`."""
    found = chances(weights, data) if found is None else found
    if len(weights.labels) == 1:
        return [NONE] * len(data)
    best = 1 + found[:, 1:].argmax(axis=1)
    return [
        weights.labels[choice] if 1.0 - row[0] >= weights.threshold else NONE
        for row, choice in zip(found, best, strict=True)
    ]


def reward(data: Data, decisions: Sequence[str]) -> Floats:
    """Reward of a decision at each state."""
    columns = [data.column(name) for name in decisions]
    return np.asarray(data.rewards[np.arange(len(data)), columns], np.float64)


def regret(data: Data, decisions: Sequence[str]) -> float:
    """Mean of the best reward minus that of the decision."""
    return float((data.rewards.max(axis=1) - reward(data, decisions)).mean())


def cross_validated(data: Data, recipe: Recipe, parts: int = 5, seed: int = 0) -> dict[float, Floats]:
    """Regret at each state for each threshold; every state is held out once. An intervention costs the margin
    by which labels must beat none, so that what earns nothing is not done.

    A fold from which nothing can be learned decides on none.
    """
    lost = {threshold: np.zeros(len(data)) for threshold in THRESHOLDS}
    for train, held in folds(data.groups, parts, seed):
        out = data.rows(held)
        try:
            weights = parse(fit(data.rows(train), recipe, seed))
        except TrainingError:
            weights = Weights((), (NONE,), (0.0,))
        found = chances(weights, out)
        for threshold in THRESHOLDS:
            decisions = decide(replace(weights, threshold=threshold), out, found)
            cost = MARGIN * np.array([name != NONE for name in decisions])
            lost[threshold][held] = out.rewards.max(axis=1) - reward(out, decisions) + cost
    return lost


def train(
    data: Data, recipes: Sequence[Recipe] = RECIPES, seed: int = 0
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Weights as plain data, and how they were chosen. Raises `TrainingError` if nothing can be learned."""
    recipes = [recipe for recipe in recipes if names_of(recipe, data)]
    if not recipes:
        raise TrainingError("nothing to learn: every feature is the same at all states")
    tried = [best(cross_validated(data, recipe, seed=seed)) for recipe in recipes]
    place = simplest([lost for _, lost in tried])
    rows = [
        {**asdict(recipe), "threshold": threshold, "held_out_regret": round(float(lost.mean()), 9)}
        for recipe, (threshold, lost) in zip(recipes, tried, strict=True)
    ]
    report = {
        "states": len(data),
        "recipe": asdict(recipes[place]),
        "threshold": tried[place][0],
        "held_out_regret": rows[place]["held_out_regret"],
        "others": sorted(rows, key=lambda row: row["held_out_regret"])[:20],
    }
    return fit(data, recipes[place], seed) | {"threshold": tried[place][0]}, report


def best(lost: Mapping[float, Floats]) -> tuple[float, Floats]:
    """The threshold that loses least, and what it loses at each state; of equal ones the least extreme."""
    return min(lost.items(), key=lambda row: (round(float(row[1].mean()), 9), abs(row[0] - 0.5)))


def simplest(lost: Sequence[Floats]) -> int:
    """The first that loses no more than the best one and the standard error of the difference."""
    least = min(lost, key=lambda one: round(float(one.mean()), 9))
    for place, one in enumerate(lost):
        behind = one - least
        if behind.mean() <= behind.std() / len(behind) ** 0.5 + 1e-9:
            return place
    raise AssertionError("the best one is no worse than itself")
