"""How good controllers are on states that they were not made from, by the table of outcomes.

No model is asked. Whatever decides is measured: trained controllers, `rules`, constant ones, and the oracle
that knows the table.
Intervals are 95% bootstraps over groups, since states of one conversation are alike.
"""

import inspect
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from acr import registry
from acr.decision import Controller, Decision
from acr.dialects.chat import read
from acr.errors import TrainingError
from acr.signals import observe
from acr_training.data import Data
from acr_training.label import MARGIN
from acr_training.records import NONE, Outcome, State

ORACLE = "oracle"
CONTROLS = "controls"
"""Task of conversations that a controller must not harm; its score has a column of its own."""
RESAMPLES = 2000
BINS = 10


class OffTable(TrainingError):
    """A controller decides on an operator that was not collected."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One decision, and what came of it."""

    group: str
    action: str
    reward: float
    best: float
    score: float
    tokens: float
    confidence: float

    @property
    def regret(self) -> float:
        return self.best - self.reward

    @property
    def right(self) -> bool:
        """Whether nothing else would have been better by more than the margin of labels."""
        return self.regret <= MARGIN


def reference(data: Data) -> list[str]:
    """Controllers to measure beside: never, rules, always each operator of the table, and the oracle."""
    return ["never", "rules", *(f"always:{name}" for name in data.actions[1:]), ORACLE]


async def measure(spec: str, data: Data, outcomes: dict[str, list[Outcome]]) -> list[Measured]:
    """What a controller decides at each state, and what came of it.

    Raises `OffTable` if it decides on something of which the table has no outcome.
    """
    if spec == ORACLE:
        best = data.rewards.argmax(axis=1)
        names = [None if place == 0 else data.actions[place] for place in best]
        return measured(spec, data, outcomes, [Decision(name, "it knows the outcomes") for name in names])
    return measured(spec, data, outcomes, await decisions(spec, data))


async def decisions(spec: str, data: Data) -> list[Decision]:
    """What a controller decides at each state, with all the time it wants."""
    controller = registry.unhurried(spec)
    return [await decide(controller, state) for state in data.states]


def measured(
    name: str, data: Data, outcomes: dict[str, list[Outcome]], decisions: Sequence[Decision]
) -> list[Measured]:
    """What came of decisions, one a state. Raises `OffTable`."""
    rows = []
    for index, (state, decision) in enumerate(zip(data.states, decisions, strict=True)):
        action = decision.operator or NONE
        if action not in data.actions:
            raise OffTable(f"{name} decides on {action!r}, of which the table has no outcome")
        found = [one for one in outcomes[state.id] if one.operator == decision.operator]
        found = found or [one for one in outcomes[state.id] if one.operator is None]
        rows.append(
            Measured(
                state.group,
                action,
                float(data.rewards[index, data.column(action)]),
                float(data.rewards[index].max()),
                fmean(one.score for one in found),
                fmean(one.tokens for one in found),
                decision.confidence,
            )
        )
    return rows


async def decide(controller: Controller, state: State) -> Decision:
    """A controller's decision at a state; some have to be waited for."""
    conversation = read(state.messages)
    made: Any = controller.decide(conversation, observe(conversation))
    decision = await made if inspect.isawaitable(made) else made
    assert isinstance(decision, Decision)
    return decision


def figures(rows: Sequence[Measured], seed: int = 0) -> dict[str, Any]:
    """Score, tokens, reward, regret, accuracy with intervals; intervention rate and calibration error."""
    if not rows:
        raise TrainingError("no states to evaluate on")
    columns = {
        "score": [row.score for row in rows],
        "tokens": [row.tokens for row in rows],
        "reward": [row.reward for row in rows],
        "regret": [row.regret for row in rows],
        "accuracy": [float(row.right) for row in rows],
    }
    groups = [row.group for row in rows]
    found: dict[str, Any] = {name: interval(values, groups, seed) for name, values in columns.items()}
    return found | {
        "states": len(rows),
        "groups": len(set(groups)),
        "intervened": fmean(row.action != NONE for row in rows),
        "ece": calibration_error([row.confidence for row in rows], [row.right for row in rows]),
    }


def interval(values: Sequence[float], groups: Sequence[str], seed: int = 0) -> dict[str, float]:
    """The mean over states with its interval over groups."""
    names = sorted(set(groups))
    place = {name: index for index, name in enumerate(names)}
    sums, counts = np.zeros(len(names)), np.zeros(len(names))
    for group, value in zip(groups, values, strict=True):
        sums[place[group]] += value
        counts[place[group]] += 1
    drawn = np.random.default_rng(seed).integers(len(names), size=(RESAMPLES, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return {"value": float(sums.sum() / counts.sum()), "low": float(low), "high": float(high)}


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = BINS) -> float:
    """Expected calibration error (Guo et al., arXiv 1706.04599, section 2), bins of equal width."""
    places = np.minimum((np.asarray(confidences) * bins).astype(int), bins - 1)
    total = 0.0
    for place in set(places.tolist()):
        here = places == place
        total += abs(np.asarray(confidences)[here].mean() - np.asarray(right)[here].mean()) * here.sum()
    return float(total / len(places)) if len(places) else 0.0


async def evaluate(
    specs: Sequence[str],
    data: Data,
    outcomes: dict[str, list[Outcome]],
    seed: int = 0,
    wanted: Container[str] = (),
    decided: Mapping[str, Sequence[Decision]] | None = None,
) -> dict[str, dict[str, Any]]:
    """Figures of each controller, by task too, and differences of the others from the first one.

    A controller that decides on something of which the table has no outcome is left out, unless it is
    `wanted`: then `TrainingError` is raised. `decided` are decisions made elsewhere, by name.
    """
    results = {}
    for spec in specs:
        try:
            results[spec] = await measure(spec, data, outcomes)
        except OffTable:
            if spec in wanted:
                raise
    for name, taken in (decided or {}).items():
        results[name] = measured(name, data, outcomes, taken)
    if ORACLE in results:
        results[ORACLE] = results.pop(ORACLE)  # the last row
    first = results[next(iter(results))]
    tasks = [state.task or state.source for state in data.states]
    found: dict[str, dict[str, Any]] = {}
    for spec, rows in results.items():
        by_task = {
            task: fmean(row.score for row, of in zip(rows, tasks, strict=True) if of == task)
            for task in sorted(set(tasks))
        }
        ahead = [row.reward - other.reward for row, other in zip(rows, first, strict=True)]
        controls = [row for row, of in zip(rows, tasks, strict=True) if of == CONTROLS]
        found[spec] = figures(rows, seed) | {
            "score_by_task": by_task,
            "reward_over_first": interval(ahead, [row.group for row in rows], seed),
        }
        if controls:
            score, groups = [row.score for row in controls], [row.group for row in controls]
            found[spec]["controls"] = interval(score, groups, seed)
    return found


def markdown(found: dict[str, dict[str, Any]], split: str) -> str:
    """The figures as a table."""
    first = next(iter(found))
    any_row = found[first]
    lines = [
        f"{any_row['states']} states of {any_row['groups']} conversations, split `{split}`; 95% intervals "
        "over conversations in brackets.",
        "",
        "| controller | regret | right decisions | score | on controls | tokens | intervenes | ECE | "
        f"reward over `{first}` |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for spec, row in found.items():
        cells = [
            f"`{spec}`",
            with_interval(row["regret"], 3),
            with_interval(row["accuracy"], 2),
            with_interval(row["score"], 3),
            with_interval(row["controls"], 2) if "controls" in row else "–",
            f"{row['tokens']['value']:,.0f}",
            f"{row['intervened']:.0%}",
            f"{row['ece']:.2f}",
            "–" if spec == first else with_interval(row["reward_over_first"], 3, sign="+"),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def with_interval(found: dict[str, float], digits: int, sign: str = "") -> str:
    value, low, high = (f"{found[name]:{sign}.{digits}f}" for name in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"
