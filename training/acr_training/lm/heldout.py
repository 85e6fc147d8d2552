"""How good decisions are, by the table of outcomes. Pure arithmetic on probabilities; no torch."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acr_training.label import MARGIN
from acr_training.lm.data import Row
from acr_training.records import NONE


def softmax(logits: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities of each row, (states, labels)."""
    shifted = np.exp(np.asarray(logits, np.float64) - np.max(logits, axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), np.float64)


def figures(
    probabilities: NDArray[np.float64], rows: Sequence[Row], labels: Sequence[str], penalty: float = -1.0
) -> dict[str, float]:
    """What the most probable labels come to at these states.

    accuracy    share of states at which the label is the table's
    regret      mean of the best reward minus that of the decision; `penalty` stands for an unknown outcome
    reward      mean reward of the decisions
    nll         mean negative log-likelihood of the table's labels, in nats
    intervened  share of states at which something is done
    """
    place = {label: index for index, label in enumerate(labels)}
    chosen = decisions(probabilities, labels)
    rewards = [row.reward(action, penalty) for row, action in zip(rows, chosen, strict=True)]
    likely = [probabilities[index, place[row.label]] for index, row in enumerate(rows)]
    return {
        "states": len(rows),
        "accuracy": _mean([action == row.label for row, action in zip(rows, chosen, strict=True)]),
        "regret": _mean(behind(probabilities, rows, labels, penalty)),
        "reward": _mean(rewards),
        "nll": _mean([-np.log(max(one, 1e-12)) for one in likely]),
        "intervened": _mean([action != NONE for action in chosen]),
    }


def decisions(probabilities: NDArray[np.float64], labels: Sequence[str]) -> list[str]:
    """The most probable label at each state."""
    return [labels[index] for index in probabilities.argmax(axis=1)]


def behind(
    probabilities: NDArray[np.float64], rows: Sequence[Row], labels: Sequence[str], penalty: float = -1.0
) -> NDArray[np.float64]:
    """Regret of each decision."""
    chosen = decisions(probabilities, labels)
    return np.array([row.best - row.reward(name, penalty) for row, name in zip(rows, chosen, strict=True)])


def constant(
    rows: Sequence[Row], labels: Sequence[str], penalty: float = -1.0
) -> dict[str, Mapping[str, float]]:
    """The figures of always deciding the same, for each label: what any controller has to beat."""
    found: dict[str, Mapping[str, float]] = {}
    for index, label in enumerate(labels):
        always = np.zeros((len(rows), len(labels)))
        always[:, index] = 1.0
        found[label] = figures(always, rows, labels, penalty)
    return found


def better(new: Mapping[str, float], old: Mapping[str, float] | None) -> bool:
    """By what is lost, then by likelihood."""
    return old is None or (lost(new), new["nll"]) < (lost(old), old["nll"])


def lost(found: Mapping[str, float]) -> float:
    """Regret, and the margin by which labels must beat none for each intervention: ties go to none."""
    return round(found["regret"] + MARGIN * found["intervened"], 6)


def _mean(values: Sequence[Any] | NDArray[Any]) -> float:
    return round(float(np.mean(values)), 6) if len(values) else 0.0
