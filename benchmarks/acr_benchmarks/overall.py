"""Figures over all tasks: the mean of the tasks, as the Lost-in-Conversation paper gives it, so that a task
with many items does not count for more. Items are resampled within each task, all settings together.

Control conversations are no such task. Their score stands beside every policy, with what the policy changed
against no policy on the same conversations.
"""

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any

from acr_benchmarks import metrics
from acr_benchmarks.metrics import Interval, Table

FULL, LOST, DIRECT = "full", "sharded", "direct"
CONTROLS = "controls"

Tables = Mapping[str, Table]
"""Scores by setting."""
Means = tuple[float, ...]
"""Of each item of one task, by id."""


def is_control(task: str, settings: Mapping[str, object]) -> bool:
    """Whether the items of a task are whole conversations, which have no FULL and no SHARDED."""
    return task == CONTROLS or DIRECT in settings


def overall(tasks: Mapping[str, Tables]) -> dict[str, Any] | None:
    """Figures by setting; None where there is nothing to put together."""
    sharded = {task: tables for task, tables in tasks.items() if not is_control(task, tables)}
    controls = [tables for task, tables in tasks.items() if is_control(task, tables)]
    if len(tasks) < 2 or not sharded:
        return None
    names = [name for name in next(iter(sharded.values())) if all(name in t for t in sharded.values())]
    held = {name: [item_means(tables[name]) for tables in sharded.values()] for name in names}
    return {
        "tasks": list(sharded),
        "settings": {name: setting(name, held, controls) for name in names},
        "comparisons": [compare(a, b, held) for a, b in pairs(names)],
    }


def setting(name: str, held: Mapping[str, Sequence[Means]], controls: Sequence[Tables]) -> dict[str, Any]:
    """One setting over all tasks."""
    figures: dict[str, Any] = {
        "score": together(metrics.plain_mean, held[name]),
        "of_full": None,
        "gap_recovered": None,
        **control(name, controls),
    }
    if FULL in held and all(sum(means) > 0 for means in held[FULL]):
        figures["of_full"] = together(share, held[name], held[FULL])
    if {FULL, LOST} <= held.keys() and name not in (FULL, LOST):
        figures["gap_recovered"] = together(gap, held[name], held[LOST], held[FULL])
    return figures


def share(scores: Sequence[float]) -> float:
    """The mean over tasks of a setting's share of FULL; the first half of the scores is the setting's."""
    half = len(scores) // 2
    shares = [one / full if full else nan for one, full in zip(scores[:half], scores[half:], strict=True)]
    return metrics.plain_mean(shares)


def gap(scores: Sequence[float]) -> float:
    """Share of the gap recovered by the means over tasks: of a setting, SHARDED and FULL, a third each."""
    third = len(scores) // 3
    parts = (scores[:third], scores[third : 2 * third], scores[2 * third :])
    other, lost, full = map(metrics.plain_mean, parts)
    return metrics.recovered(lost, full, other)


def together(figure: Callable[[Sequence[float]], float], *settings: Sequence[Means]) -> Interval:
    """A figure of the means of all tasks in some settings, one setting after the other."""
    every = [means for tasks in settings for means in tasks]
    value = figure([metrics.plain_mean(means) for means in every])
    drawn = zip(*(metrics.resampled(means) for means in every), strict=True)
    return metrics.interval(value, [figure(scores) for scores in drawn])


def control(name: str, controls: Sequence[Tables]) -> dict[str, Any]:
    """The score on the control conversations, and the change against no policy. `direct` where a setting is
    no policy.
    """
    none = {"controls": None, "controls_change": None}
    for tables in controls:
        if name in tables and DIRECT in tables:
            result = metrics.paired(tables[name], tables[DIRECT])
            change = {"difference": result.difference, "p": result.p}
            change |= {"better": result.better, "worse": result.worse}
            return {"controls": metrics.mean_interval(tables[name]), "controls_change": change}
        if name == LOST and DIRECT in tables:
            return none | {"controls": metrics.mean_interval(tables[DIRECT])}
    return none


def pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """Which settings are compared: each with SHARDED, and policies with each other."""
    policies = [name for name in names if name.startswith("acr:")]
    against = [(name, LOST) for name in names if name != LOST] if LOST in names else []
    return against + [(a, b) for index, a in enumerate(policies) for b in policies[index + 1 :]]


def compare(first: str, second: str, held: Mapping[str, Sequence[Means]]) -> dict[str, Any]:
    """Two settings, paired by item within each task."""
    moved = [
        tuple(a - b for a, b in zip(one, other, strict=True))
        for one, other in zip(held[first], held[second], strict=True)
    ]
    weighted = [value / len(values) for values in moved for value in values]
    return {
        "first": first,
        "second": second,
        "difference": together(metrics.plain_mean, moved),
        "better": sum(value > 0 for value in weighted),
        "worse": sum(value < 0 for value in weighted),
        "same": sum(value == 0 for value in weighted),
        "p": metrics.sign_flip(weighted),
    }


def item_means(table: Table) -> Means:
    means = metrics.item_means(table)
    return tuple(means[item] for item in sorted(means))
