"""The outcome rule: what should have been decided at each state, by what came of each operator there.

reward = score − price · tokens / 1000, the mean over runs. The label is the operator with the highest reward
if it beats none by more than `margin`, else none: ties go to none, and only what improves is kept.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from acr.errors import TrainingError
from acr_training import manifest, table
from acr_training.records import NONE, Example, Kind, Outcome, Pair, State

PRICE = 0.02
"""Score that 1,000 tokens are worth: one right answer in fifty."""
MARGIN = 0.02
"""Reward by which an operator must beat none."""


def run(
    path: Path,
    *,
    price: float = PRICE,
    margin: float = MARGIN,
    mix: Mapping[Kind, float] | None = None,
    seed: int = 0,
) -> list[Example]:
    """Label a run directory, in stated proportions if `mix` gives some. Raises `TrainingError`."""
    states = table.states(path)
    grouped = table.by_state(table.outcomes(path))
    found = [label(id, rows, price=price, margin=margin) for id, rows in grouped.items()]
    if mix:
        found = mixed(found, states, mix, seed)
    write(path, found, arguments={"price": price, "margin": margin, "mix": mix, "seed": seed})
    return found


def write(path: Path, found: Sequence[Example], *, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Put the examples of a run directory in place, note it, and give the summary."""
    table.write(path / table.EXAMPLES, found)
    results = summary(found, table.states(path))
    inputs = {name: path / name for name in (table.STATES, table.OUTCOMES)}
    manifest.note(path, "label", arguments=arguments, inputs=inputs, results=results)
    return results


def rewards(outcomes: Sequence[Outcome], price: float = PRICE) -> dict[str, float]:
    """Reward of each operator and of none at one state, none first, then in the order of the names.

    Raises `TrainingError` without an outcome of none.
    """
    by_name: dict[str, list[float]] = {NONE: []}
    for outcome in sorted(outcomes, key=lambda one: one.operator or ""):
        reward = outcome.score - price * outcome.tokens / 1000
        by_name.setdefault(outcome.operator or NONE, []).append(reward)
    if not by_name[NONE]:
        raise TrainingError(f"state {outcomes[0].state if outcomes else ''} has no outcome without operator")
    return {name: fmean(values) for name, values in by_name.items()}


def label(
    state: str, outcomes: Sequence[Outcome], *, price: float = PRICE, margin: float = MARGIN
) -> Example:
    """The example of one state."""
    found = rewards(outcomes, price)
    same = sorted({one.operator for one in outcomes if one.operator is not None and not one.changed})
    acts = {name: reward for name, reward in found.items() if name not in same}
    best = max(acts, key=lambda name: (acts[name], name == NONE))
    if acts[best] - acts[NONE] <= margin:
        best = NONE
    return Example(
        state=state,
        label=best,
        kind=kind(outcomes, best),
        gain=found[best] - found[NONE],
        rewards=found,
        unchanged=same,
        pairs=list(pairs(acts, margin)),
    )


def kind(outcomes: Sequence[Outcome], best: str) -> Kind:
    """What a label is good for: a better score, or the same with fewer tokens."""
    if best == NONE:
        return "none"
    score = fmean(one.score for one in outcomes if one.operator == best)
    raw = fmean(one.score for one in outcomes if one.operator is None)
    return "corrective" if score > raw else "compressive"


def pairs(found: Mapping[str, float], margin: float) -> Iterable[Pair]:
    """All pairs whose rewards differ by more than `margin`."""
    for one, other in combinations(found, 2):
        better, worse = (one, other) if found[one] > found[other] else (other, one)
        if found[better] - found[worse] > margin:
            yield Pair(better=better, worse=worse, margin=found[better] - found[worse])


def mixed(
    examples: Sequence[Example],
    states: Mapping[str, State],
    parts: Mapping[Kind, float],
    seed: int = 0,
) -> list[Example]:
    """Examples in stated proportions: of each kind at most its part, drawn by seed. Training split only.

    The kind that is scarcest for its part sets the size. Kinds without a part are left out there.
    """
    train = [one for one in examples if states[one.state].split == "train"]
    held = [one for one in examples if states[one.state].split != "train"]
    of_kind = {name: [one for one in train if one.kind == name] for name in parts}
    whole = min((len(of_kind[name]) / part for name, part in parts.items() if part > 0), default=0.0)
    random = Random(f"{seed}/mix")
    kept = {
        one.state
        for name, part in parts.items()
        for one in random.sample(of_kind[name], min(len(of_kind[name]), round(whole * part)))
    }
    return [one for one in train if one.state in kept] + held


def summary(examples: Sequence[Example], states: Mapping[str, State]) -> dict[str, Any]:
    """Counts of labels and kinds by split, and where a teacher disagrees."""
    found: dict[str, Any] = {}
    for split in ("train", "dev", "test"):
        here = [one for one in examples if states[one.state].split == split]
        found[split] = {
            "states": len(here),
            "labels": dict(Counter(one.label for one in here).most_common()),
            "kinds": dict(Counter(one.kind for one in here).most_common()),
        }
    asked = [one for one in examples if one.teacher is not None]
    if asked:
        apart = Counter((one.teacher, one.label) for one in asked if one.teacher != one.label)
        found["teacher"] = {
            "asked": len(asked),
            "agrees": sum(one.teacher == one.label for one in asked),
            "disagreements": [
                {"teacher": teacher, "outcomes": label, "states": count}
                for (teacher, label), count in apart.most_common()
            ],
        }
    return found
