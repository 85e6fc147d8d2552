"""From slices to figures: medians, quantiles, and ratios with intervals."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from acr_benchmarks.overhead.measure import Slice
from acr_benchmarks.overhead.subjects import BARE, DIRECT

DRAWS = 2000
WIDTH = 0.95


class Ratio(NamedTuple):
    """A ratio and its 95% interval."""

    value: float
    low: float
    high: float


def ratio(over: Sequence[float], under: Sequence[float], seed: int = 0) -> Ratio:
    """The ratio of two means, paired by round, with a percentile bootstrap over rounds.

    Raises `ValueError` where there is nothing to compare.
    """
    if not over or len(over) != len(under) or not sum(under):
        raise ValueError("a ratio needs as many figures above as below, and not zeros below")
    chance = random.Random(seed)
    pairs = list(zip(over, under, strict=True))
    drawn = sorted(_of(chance.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
    margin = int(DRAWS * (1 - WIDTH) / 2)
    return Ratio(_of(pairs), drawn[margin], drawn[-1 - margin])


def _of(pairs: Iterable[tuple[float, float]]) -> float:
    over, under = map(sum, zip(*pairs, strict=True))
    return over / under if under else 0.0


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of them lie; 0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def figures(slices: Sequence[Slice]) -> dict[str, dict[str, dict[str, float | Ratio]]]:
    """By scenario and subject. Times in milliseconds; `added…` are against the direct way."""
    scenarios = dict.fromkeys(one.scenario for one in slices)
    return {name: scenario([one for one in slices if one.scenario == name]) for name in scenarios}


def scenario(slices: Sequence[Slice]) -> dict[str, dict[str, float | Ratio]]:
    by_subject: dict[str, list[Slice]] = {}
    for one in sorted(slices, key=lambda one: one.round):
        by_subject.setdefault(one.subject, []).append(one)
    return {name: row(mine, by_subject) for name, mine in by_subject.items()}


def row(mine: Sequence[Slice], all: Mapping[str, Sequence[Slice]]) -> dict[str, float | Ratio]:
    count = sum(one.count for one in mine) or 1
    found: dict[str, float | Ratio] = {
        "exchanges": sum(one.count for one in mine),
        "failed": sum(one.failed for one in mine),
        "rate": median(one.rate for one in mine),
        "first_p50": middle(mine, lambda one: quantile(one.first, 0.5)),
        "total_p50": middle(mine, lambda one: quantile(one.total, 0.5)),
        "total_p99": middle(mine, lambda one: quantile(one.total, 0.99)),
        "cpu_ms": 1000 * sum(one.cpu for one in mine) / count,
        "switches": sum(one.switches for one in mine) / count,
    }
    if direct := all.get(DIRECT):
        for name, share in (("added_p50", 0.5), ("added_p99", 0.99)):
            pairs = zip(mine, direct, strict=False)
            found[name] = median(quantile(a.total, share) - quantile(b.total, share) for a, b in pairs)
    if (bare := all.get(BARE)) and len(bare) == len(mine):
        found["rate_to_bare"] = ratio([one.rate for one in mine], [one.rate for one in bare])
        if all_cpu(mine) and all_cpu(bare):
            found["bare_cpu_to_cpu"] = ratio(
                [one.cpu / one.count for one in bare], [one.cpu / one.count for one in mine]
            )
    if any(one.delays for one in mine):
        found["delay_p50"] = middle(mine, lambda one: quantile(one.delays, 0.5))
        found["delay_p99"] = middle(mine, lambda one: quantile(one.delays, 0.99))
        found["stall_p99"] = middle(mine, lambda one: quantile(one.stalls, 0.99))
        found["stall_max"] = max(stall for one in mine for stall in one.stalls)
    return found


def middle(slices: Iterable[Slice], of: Callable[[Slice], float]) -> float:
    return median(map(of, slices))


def all_cpu(slices: Iterable[Slice]) -> bool:
    return all(one.cpu and one.count for one in slices)
