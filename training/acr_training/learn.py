"""Chooses how to fit the `signals` controller, and fits it.

Every recipe is fitted and judged on held-out folds of the training split, by regret: what its decisions lose
against the best action of the table. The best one, with its best threshold, is fitted to all of it.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from acr.controllers.features import NAMES
from acr.controllers.weights import Weights, parse
from acr.errors import TrainingError
from acr_training.data import Data, Floats, folds
from acr_training.fit import Features, Kind, Recipe, Target, fit
from acr_training.records import NONE

KINDS: tuple[tuple[Kind, tuple[float, ...]], ...] = (
    ("linear", (0.03, 0.1, 0.3, 1.0)),
    ("trees", (0.2, 0.5)),
)
TARGETS: tuple[Target, ...] = ("soft", "hard")
SETS: tuple[Features, ...] = ("core", "all")
RECIPES = tuple(
    Recipe(kind, target, strength, features)
    for kind, strengths in KINDS
    for target in TARGETS
    for strength in strengths
    for features in SETS
)
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)


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


def cross_validated(data: Data, recipe: Recipe, parts: int = 5, seed: int = 0) -> dict[float, float]:
    """Regret on held-out folds for each threshold; every state is held out once.

    A fold from which nothing can be learned decides on none.
    """
    lost = dict.fromkeys(THRESHOLDS, 0.0)
    for train, held in folds(data.groups, parts, seed):
        out = data.rows(held)
        try:
            weights = parse(fit(data.rows(train), recipe, seed))
        except TrainingError:
            weights = Weights((), (NONE,), (0.0,))
        found = chances(weights, out)
        for threshold in THRESHOLDS:
            decisions = decide(replace(weights, threshold=threshold), out, found)
            lost[threshold] += regret(out, decisions) * len(out) / len(data)
    return lost


def train(
    data: Data, recipes: Sequence[Recipe] = RECIPES, seed: int = 0
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Weights as plain data, and how they were chosen. Raises `TrainingError` if nothing can be learned."""
    scored = [
        (round(lost, 9), place, threshold)
        for place, recipe in enumerate(recipes)
        for threshold, lost in cross_validated(data, recipe, seed=seed).items()
    ]
    scored.sort(key=lambda row: (row[0], row[1], abs(row[2] - 0.5)))
    lost, place, threshold = scored[0]
    report = {
        "states": len(data),
        "recipe": asdict(recipes[place]),
        "threshold": threshold,
        "held_out_regret": lost,
        "others": [{**asdict(recipes[p]), "threshold": t, "held_out_regret": r} for r, p, t in scored[1:20]],
    }
    return fit(data, recipes[place], seed) | {"threshold": threshold}, report
