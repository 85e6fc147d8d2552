"""Fits one `signals` controller: a multinomial logistic model or small boosted trees, by scikit-learn.

The result is plain numbers (`acr.controllers.weights`), which give the same probabilities.

Soft targets are a softmax over the rewards of the actions at a state: where several operators are equally
good it teaches that, and a state at which nothing matters teaches little. Hard ones are the label alone.
Values are what each operator earned over none at a state, by ridge regression: on few states that wastes
least, and a state at which everything earns the same speaks for nothing instead of for none.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from acr.controllers.features import CORE, NAMES, RULES, TEXT, VERSION
from acr.controllers.weights import SCHEMA
from acr.errors import TrainingError
from acr_training.data import Data, Floats
from acr_training.label import MARGIN
from acr_training.records import NONE

RARE = 3
"""An operator that beats none at fewer states than this is no label: there is nothing to learn it from."""
LIGHT = 1e-3
"""Targets below this are left out."""


Kind = Literal["linear", "trees"]
Target = Literal["soft", "hard", "value"]
Features = Literal["rules", "core", "all"]

FREE = 5.0
"""How much wider than others the features of `rules` are, so that the penalty hardly holds them: where the
table says little, the fit does what the rules do."""


@dataclass(frozen=True)
class Recipe:
    """How to fit."""

    kind: Kind = "linear"
    target: Target = "soft"
    strength: float = 1.0
    """Of the fit: C of the logistic model, inverse of the penalty also for values; share of 100 trees."""
    features: Features = "core"
    """rules: what the rules would do, and nothing else. core: also the signals that say most, and the look of
    the text. all: every signal, and the ledger too."""
    heat: float = 0.1
    """Temperature of soft targets and of values, in units of reward."""


def names_of(recipe: Recipe, data: Data) -> list[str]:
    """The features that a recipe uses; those that are the same at all states are left out."""
    rules = tuple(RULES.values())
    wanted = {"rules": rules, "core": (*CORE, *TEXT, *rules), "all": NAMES}[recipe.features]
    varies = data.x.std(axis=0) > 0 if len(data) else np.zeros(len(NAMES), dtype=bool)
    return [name for name, moves in zip(NAMES, varies, strict=True) if moves and name in wanted]


def labels_of(data: Data) -> list[str]:
    """`none`, and the operators that beat it at enough states."""
    ahead = (data.rewards - data.rewards[:, :1] > MARGIN).sum(axis=0)
    return [NONE, *(name for name, count in zip(data.actions, ahead, strict=True) if count >= RARE)]


def targets(data: Data, labels: Sequence[str], recipe: Recipe) -> Floats:
    """(states, labels): how much each state speaks for each label; rows add up to 1."""
    columns = [data.column(name) for name in labels]
    rewards = data.rewards[:, columns].copy()
    rewards[:, 1:] -= MARGIN  # ties go to none
    rewards[~data.changed[:, columns]] = -np.inf
    if recipe.target == "hard":
        return np.asarray(np.eye(len(labels))[rewards.argmax(axis=1)], np.float64)
    powers = np.exp((rewards - rewards.max(axis=1, keepdims=True)) / recipe.heat)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)


def fit(data: Data, recipe: Recipe, seed: int = 0) -> dict[str, Any]:
    """Weights as plain data. Raises `TrainingError` if the data hold nothing to learn."""
    labels = labels_of(data)
    names = names_of(recipe, data)
    if not names:
        raise TrainingError(f"nothing to learn: the features {recipe.features!r} are the same at all states")
    x = data.x[:, [NAMES.index(name) for name in names]]
    wide = np.array([FREE if name in RULES.values() else 1.0 for name in names])
    if recipe.target == "value":
        rewards = data.rewards[:, [data.column(name) for name in labels]]
        return plain(names, labels, values(x, rewards, wide, recipe))
    wanted = targets(data, labels, recipe)
    rows, columns = np.nonzero(wanted > LIGHT)
    if len(set(columns.tolist())) < 2:
        raise TrainingError(
            "nothing to learn: at every state the best thing is the same "
            f"({labels[int(columns[0])] if len(columns) else NONE})"
        )
    present = sorted(set(columns.tolist()))
    labels_present = [labels[index] for index in present]
    y = np.searchsorted(present, columns)
    weight = wanted[rows, columns]
    model = linear if recipe.kind == "linear" else trees
    with one_thread():
        fitted = model(x[rows], y, weight, len(present), wide, recipe, seed)
    if labels_present[0] != NONE:  # never intervening was nowhere best: it stays possible, at no chance
        labels_present, fitted = [NONE, *labels_present], without_none(fitted)
    return plain(names, labels_present, fitted)


def plain(names: list[str], labels: list[str], model: dict[str, Any]) -> dict[str, Any]:
    """The weights as they are stored, not calibrated yet."""
    return {
        "schema": SCHEMA,
        "controller": "signals",
        "features_version": VERSION,
        "features": names,
        "labels": labels,
        "model": model,
        "temperature": 1.0,
        "threshold": 0.5,
        "confidence": [],
    }


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra on one thread: for matrices this small, starting others takes ten times the work."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def linear(
    x: Floats, y: NDArray[np.int64], weight: Floats, count: int, wide: Floats, recipe: Recipe, seed: int
) -> dict[str, Any]:
    """A multinomial logistic model, on standardised features; the standardisation goes into the weights."""
    from sklearn.linear_model import LogisticRegression

    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1.0
    scale = scale / wide
    model = LogisticRegression(C=recipe.strength, max_iter=2000)
    model.fit((x - mean) / scale, y, sample_weight=weight)
    coefficients, bias = model.coef_, model.intercept_
    if count == 2:
        coefficients, bias = np.vstack([0 * coefficients, coefficients]), np.concatenate([[0.0], bias])
    rows = coefficients / scale
    return {"kind": "linear", "weights": rows.tolist(), "bias": (bias - rows @ mean).tolist()}


def values(x: Floats, rewards: Floats, wide: Floats, recipe: Recipe) -> dict[str, Any]:
    """Ridge regression of what each label earns over the first, on standardised features; as logits."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1.0
    scale = scale / wide
    ahead = rewards - rewards[:, :1]
    ahead[:, 1:] -= MARGIN  # ties go to none
    z = (x - mean) / scale
    penalty = np.eye(z.shape[1]) / recipe.strength
    solved = np.linalg.solve(z.T @ z + penalty, z.T @ (ahead - ahead.mean(axis=0)))
    rows = solved.T / scale / recipe.heat
    return {
        "kind": "linear",
        "weights": rows.tolist(),
        "bias": (ahead.mean(axis=0) / recipe.heat - rows @ mean).tolist(),
    }


def trees(
    x: Floats, y: NDArray[np.int64], weight: Floats, count: int, wide: Floats, recipe: Recipe, seed: int
) -> dict[str, Any]:
    """Gradient boosting with trees of depth 2."""
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=max(1, round(100 * recipe.strength)),
        max_depth=2,
        learning_rate=0.1,
        subsample=0.8,
        min_weight_fraction_leaf=0.02,
        init="zero",
        random_state=seed,
    )
    model.fit(x, y, sample_weight=weight)
    rounds = [
        [grown(tree.tree_, model.learning_rate) for tree in stage]
        if count > 2
        else [0.0, grown(stage[0].tree_, model.learning_rate)]
        for stage in model.estimators_
    ]
    return {"kind": "trees", "bias": [0.0] * count, "trees": rounds}


def grown(tree: Any, rate: float, node: int = 0) -> Any:
    """One of scikit-learn's trees as plain data. It compares single-precision values."""
    if tree.children_left[node] < 0:
        return rate * float(tree.value[node][0][0])
    return [
        int(tree.feature[node]),
        float(tree.threshold[node]),
        grown(tree, rate, tree.children_left[node]),
        grown(tree, rate, tree.children_right[node]),
    ]


def without_none(model: dict[str, Any]) -> dict[str, Any]:
    """The model with a label in front that has practically no chance."""
    never = -30.0
    if model["kind"] == "linear":
        width = len(model["weights"][0])
        return {
            "kind": "linear",
            "weights": [[0.0] * width, *model["weights"]],
            "bias": [min(model["bias"]) + never, *model["bias"]],
        }
    return model | {"bias": [never, *model["bias"]], "trees": [[0.0, *round] for round in model["trees"]]}
