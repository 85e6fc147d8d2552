"""Figures from scores: per item over runs, then averaged over items, with bootstrap intervals over items.

Definitions follow the Lost-in-Conversation paper (arXiv 2505.06120, section 5): aptitude A90 is the 90th
percentile of an item's scores over its runs, unreliability U90-10 the distance from its 10th percentile.
Both need several runs, so with fewer than five they are not given.

Scores are in [0, 1] here; reports show them times 100.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from operator import itemgetter
from random import Random
from statistics import fmean

MIN_RUNS = 5
RESAMPLES = 10_000

Table = Mapping[str, Sequence[float]]
"""Scores of one setting: by item, one a run."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95% interval (percentile bootstrap over items)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Paired:
    """Two settings on the same items. `difference` is first minus second."""

    difference: Interval
    better: int
    worse: int
    same: int
    p: float
    """Two-sided sign-flip permutation test of no difference."""


def percentile(values: Sequence[float], q: float) -> float:
    """The q-th percentile (0-100), linearly interpolated. Raises ValueError for no values."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    place = (len(ordered) - 1) * q / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def mean(table: Table) -> float:
    """Mean over items of the mean over runs."""
    return fmean(fmean(scores) for scores in table.values())


def aptitude(table: Table) -> float | None:
    """A90, or None with fewer than `MIN_RUNS` runs of any item."""
    if any(len(scores) < MIN_RUNS for scores in table.values()):
        return None
    return fmean(percentile(scores, 90) for scores in table.values())


def unreliability(table: Table) -> float | None:
    """U90-10, or None with fewer than `MIN_RUNS` runs of any item."""
    if any(len(scores) < MIN_RUNS for scores in table.values()):
        return None
    return fmean(percentile(scores, 90) - percentile(scores, 10) for scores in table.values())


def relative(full: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The paper's "overall": the mean over tasks of a setting's share of FULL.

    Raises ValueError if the two have no task in common in which FULL is above zero.
    """
    shares = [other[task] / full[task] for task in full if task in other and full[task] > 0]
    if not shares:
        raise ValueError("no task to compare")
    return fmean(shares)


def recovered(lost: float, full: float, other: float) -> float:
    """Share of the gap between `lost` (SHARDED) and `full` that `other` closes; nan where there is no gap."""
    return (other - lost) / (full - lost) if full > lost else float("nan")


@lru_cache(maxsize=8)
def draws(size: int, seed: int, resamples: int) -> list[Callable[[tuple[float, ...]], tuple[float, ...]]]:
    """Each takes one resample of `size` values, at least two. They are the same for all settings, so that
    these are resampled together.
    """
    random = Random(seed)
    return [itemgetter(*random.choices(range(size), k=size)) for _ in range(resamples)]


@lru_cache(maxsize=512)
def resampled(values: tuple[float, ...], seed: int = 0, resamples: int = RESAMPLES) -> list[float]:
    """The mean of each resample of `values`, one an item."""
    size = len(values)
    if size == 1:
        return list(values) * resamples
    return [sum(draw(values)) / size for draw in draws(size, seed, resamples)]


def interval(value: float, resamples: Sequence[float]) -> Interval:
    """A figure with its percentile interval.

    Resamples on which the figure is not finite (no gap to recover) are left out; if more than a twentieth
    are, the interval says nothing and is (nan, nan).
    """
    finite = [one for one in resamples if isfinite(one)]
    if len(finite) < 0.95 * len(resamples):
        return Interval(value, float("nan"), float("nan"))
    return Interval(value, percentile(finite, 2.5), percentile(finite, 97.5))


def plain_mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def mean_interval(table: Table, *, seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """The mean of a setting."""
    means = item_means(table)
    values = tuple(means[item] for item in sorted(means))
    return interval(plain_mean(values), resampled(values, seed, resamples))


def recovered_interval(
    lost: Table, full: Table, other: Table, *, seed: int = 0, resamples: int = RESAMPLES
) -> Interval:
    """Share of the gap recovered, the three settings resampled together. Items all three have."""
    tables = [item_means(table) for table in (lost, full, other)]
    common = sorted(tables[0].keys() & tables[1].keys() & tables[2].keys())
    a, b, c = (tuple(table[item] for item in common) for table in tables)
    drawn = (resampled(values, seed, resamples) for values in (a, b, c))
    value = recovered(*map(plain_mean, (a, b, c)))
    return interval(value, [recovered(*means) for means in zip(*drawn, strict=True)])


def paired(first: Table, second: Table, *, seed: int = 0, resamples: int = RESAMPLES) -> Paired:
    """Compare two settings item by item, on the items both have. Raises ValueError if there are none."""
    a, b = item_means(first), item_means(second)
    values = tuple(a[item] - b[item] for item in sorted(a.keys() & b.keys()))
    if not values:
        raise ValueError("no item in common")
    return Paired(
        interval(plain_mean(values), resampled(values, seed, resamples)),
        better=sum(value > 0 for value in values),
        worse=sum(value < 0 for value in values),
        same=sum(value == 0 for value in values),
        p=sign_flip(values, seed=seed, resamples=resamples),
    )


def sign_flip(differences: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES) -> float:
    """P-value of the mean difference when every sign is as likely as its opposite.

    Exact where the differences are multiples of a common part, as means over runs of right and wrong are;
    else from `resamples` draws, the observed one counted in.
    """
    moved = [abs(value) for value in differences if value]
    observed = abs(sum(differences))
    steps = whole_steps(moved)
    if steps is not None:
        return exact_flip(steps, round(observed * steps[0] / moved[0]) if moved else 0)
    random = Random(seed)
    hits = sum(
        abs(sum(value if random.random() < 0.5 else -value for value in moved)) >= observed - 1e-12
        for _ in range(resamples)
    )
    return (hits + 1) / (resamples + 1)


def whole_steps(values: Sequence[float]) -> list[int] | None:
    """The values as multiples of a common part of at least 1/120; None where they are not."""
    for parts in range(1, 121):
        if all(abs(value * parts - round(value * parts)) < 1e-9 for value in values):
            return [round(value * parts) for value in values]
    return None


def exact_flip(steps: Sequence[int], observed: int) -> float:
    """The share of all ways to set signs under which the sum is at least as far from 0 as `observed`."""
    ways = Counter({0: 1})
    for step in steps:
        more: Counter[int] = Counter()
        for total, count in ways.items():
            more[total + step] += count
            more[total - step] += count
        ways = more
    hits = sum(count for total, count in ways.items() if abs(total) >= observed)
    return float(hits / 2 ** len(steps))


def item_means(table: Table) -> dict[str, float]:
    """The mean over runs of each item."""
    return {item: fmean(scores) for item, scores in table.items()}
