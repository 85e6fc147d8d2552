"""Makes the controller's probabilities mean what they say, and sets how often it intervenes.

Temperature (Guo et al., arXiv 1706.04599): one number divides the logits, chosen by likelihood of the labels
on the held-out states. Threshold: the probability of doing anything from which on something is done, either
the one with the least regret there or the lowest that intervenes at no more than a wanted share of them.
Confidence: the probability that the decision is right, ties included (`acr_training.calibrate.curve`).
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acr.errors import TrainingError
from acr.lm import artefact
from acr.lm.graph import Scorer
from acr_training import manifest
from acr_training.calibrate import curve
from acr_training.label import MARGIN
from acr_training.lm import data, export, heldout
from acr_training.lm.data import Row
from acr_training.records import NONE

TEMPERATURES = tuple(round(float(one), 3) for one in np.geomspace(0.25, 8.0, 41))
EDGE = 1e-3
"""No number of states shows more certainty: a controller that is right throughout is not made surer."""
Floats = NDArray[np.float64]


def adjust(folder: Path, table: Path, rate: float | None = None, split: str = "dev") -> dict[str, Any]:
    """Calibrate the controller in `folder` on a split of a table; what was found.

    Raises `TrainingError` if the split is empty.
    """
    card, trunk = export.loaded(folder)
    rows = [row for row in data.load(table, trunk.tokenizer, card.labels).rows if row.split == split]
    if not rows:
        raise TrainingError(f"{table} has no labelled state in the {split} split")
    scorer = Scorer(trunk, card.tokens)
    logits = np.stack([scorer.logits(row.prompt) for row in rows]).astype(np.float64)
    temperature = min(
        TEMPERATURES,
        key=lambda one: (round(likelihood(logits / one, rows, card.labels), 4), abs(np.log(one))),
    )
    chances = heldout.softmax(logits / temperature)
    threshold = lowest(chances, rate, card.labels) if rate is not None else least(chances, rows, card.labels)
    acts = acting(chances, card.labels) >= threshold
    right = behind(chances, rows, card.labels, threshold) <= MARGIN
    points = curve(acting(chances, card.labels), acts, right, threshold)
    confidence = tuple((x, y) for x, y in points)
    found = {
        "states": len(rows),
        "temperature": temperature,
        "threshold": threshold,
        "nll_before": likelihood(logits / card.temperature, rows, card.labels),
        "nll": likelihood(logits / temperature, rows, card.labels),
        "regret_before": regret(
            heldout.softmax(logits / card.temperature), rows, card.labels, card.threshold
        ),
        "regret": regret(chances, rows, card.labels, threshold),
        "intervened": float(acts.mean()),
    }
    made = replace(card, temperature=temperature, threshold=threshold, confidence=confidence)
    artefact.save(made, folder)
    manifest.save(folder / "calibration.json", found)
    return found


def acting(chances: Floats, labels: Sequence[str]) -> Floats:
    """Probability that anything should be done, of each state."""
    return 1.0 - chances[:, list(labels).index(NONE)]


def likelihood(logits: Floats, rows: Sequence[Row], labels: Sequence[str]) -> float:
    """Mean negative log-likelihood of the labels, in nats, none held for surer than `EDGE` allows."""
    chances = heldout.softmax(logits)
    places = [list(labels).index(row.label) for row in rows]
    return float(-np.log(np.clip(chances[np.arange(len(rows)), places], EDGE, 1 - EDGE)).mean())


def regret(chances: Floats, rows: Sequence[Row], labels: Sequence[str], threshold: float) -> float:
    """Mean regret of deciding as serving does."""
    return round(float(behind(chances, rows, labels, threshold).mean()), 6)


def behind(chances: Floats, rows: Sequence[Row], labels: Sequence[str], threshold: float) -> Floats:
    """Regret of each decision, made as in serving: with this threshold, the most probable operator."""
    decided = chances.copy()
    none = list(labels).index(NONE)
    decided[:, none] = np.where(acting(chances, labels) >= threshold, -1.0, 2.0)
    return heldout.behind(decided, rows, labels)


def least(chances: Floats, rows: Sequence[Row], labels: Sequence[str]) -> float:
    """The threshold with the least regret; of equal ones the nearest to 0.5."""
    values = np.unique(np.concatenate([[0.0], acting(chances, labels), [1.0]]))
    middles = [float(one) for one in (values[1:] + values[:-1]) / 2]
    return min([0.5, *middles], key=lambda one: (regret(chances, rows, labels, one), abs(one - 0.5)))


def lowest(chances: Floats, rate: float, labels: Sequence[str]) -> float:
    """The lowest threshold that intervenes at no more than that share of the states."""
    found = np.sort(acting(chances, labels))[::-1]
    allowed = int(rate * len(found) + 1e-9)
    if allowed >= len(found):
        return 0.0
    return float(np.nextafter(found[allowed], 2.0)) if found[allowed] < 1.0 else 1.0
