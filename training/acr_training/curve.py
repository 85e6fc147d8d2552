"""Does the `signals` controller learn? Held-out regret by the number of conversations it was trained on.

Beside it the same for outcomes dealt to other states at random: what still looks learnt there is an artefact.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from acr.controllers.weights import parse
from acr.errors import TrainingError
from acr_training.data import Data
from acr_training.fit import Recipe, fit
from acr_training.learn import decide, regret

SHARES = (0.125, 0.25, 0.5, 0.75, 1.0)
REPEATS = 8
"""Draws of each part of the training conversations."""


def learning(
    train: Data, held: Data, recipe: Recipe, threshold: float, seed: int = 0
) -> dict[str, list[dict[str, Any]]]:
    """Regret on `held` after training on shares of `train`: `real`, `shuffled`, and constant decisions."""
    random = np.random.default_rng(seed)
    found: dict[str, list[dict[str, Any]]] = {"real": [], "shuffled": []}
    for share in SHARES:
        for name, source in (("real", train), ("shuffled", None)):
            repeats = REPEATS if share < 1.0 or source is None else 1
            lost = [
                after(source or dealt(train, random), held, recipe, threshold, share, random)
                for _ in range(repeats)
            ]
            groups = max(1, round(share * len(set(train.groups))))
            found[name].append(
                {
                    "conversations": groups,
                    "regret": float(np.mean(lost)),
                    "low": float(np.min(lost)),
                    "high": float(np.max(lost)),
                }
            )
    found["constant"] = [
        {"decision": action, "regret": regret(held, [action] * len(held))} for action in held.actions
    ]
    return found


def after(
    train: Data, held: Data, recipe: Recipe, threshold: float, share: float, random: np.random.Generator
) -> float:
    """Regret after training on that share of the conversations, drawn at random."""
    names = sorted(set(train.groups))
    drawn = set(random.choice(names, size=max(1, round(share * len(names))), replace=False).tolist())
    try:
        content = fit(train.where(lambda state: state.group in drawn), recipe)
    except TrainingError:
        return regret(held, [held.actions[0]] * len(held))
    return regret(held, decide(parse(content | {"threshold": threshold}), held))


def dealt(data: Data, random: np.random.Generator) -> Data:
    """The same states with the outcomes of others."""
    order = random.permutation(len(data))
    return replace(
        data,
        examples=tuple(data.examples[index] for index in order),
        rewards=data.rewards[order],
        changed=data.changed[order],
    )


def plot(path: Path, found: dict[str, list[dict[str, Any]]], title: str) -> None:
    """The curves as a picture. Raises `TrainingError` without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise TrainingError("plots need matplotlib: pip install matplotlib") from error
    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axis = figure.subplots()
    for name, colour in (("real", "C0"), ("shuffled", "C1")):
        rows = found[name]
        x = [row["conversations"] for row in rows]
        axis.plot(
            x, [row["regret"] for row in rows], marker="o", ms=3, color=colour, label=f"{name} outcomes"
        )
        low, high = ([row[edge] for row in rows] for edge in ("low", "high"))
        axis.fill_between(x, low, high, color=colour, alpha=0.15)
    for row, style in zip(best_constants(found["constant"]), ("--", ":"), strict=False):
        axis.axhline(row["regret"], color="grey", ls=style, lw=1, label=f"always {row['decision']}")
    axis.set_xlabel("conversations trained on")
    axis.set_ylabel("regret on held-out states")
    axis.set_title(title)
    axis.legend(fontsize=8)
    axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def best_constants(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Always none, and the best of the others."""
    none, *others = rows
    return [none, *sorted(others, key=lambda row: float(row["regret"]))[:1]]
