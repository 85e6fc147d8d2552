"""What a second worker brings: one and two workers take turns under the same load.

That says something of ACR only where a processor is left for the second worker, beside those that the
upstream and the load generator take.
"""

import os
from statistics import fmean
from typing import Any

from acr_benchmarks.overhead.measure import one_slice, warm
from acr_benchmarks.overhead.ratios import ratio
from acr_benchmarks.overhead.running import field
from acr_benchmarks.overhead.scenarios import STREAM_MANY, scenarios

ENOUGH = 4
"""Processors from which the figure counts."""


def scaling(rounds: int, seconds: float) -> dict[str, Any]:
    """Streams a second of one worker and of two, passed through, 64 at once, and their ratio.

    Raises `BenchmarkError` if something does not start or does not work.
    """
    (load,) = (one for one in scenarios(seconds) if one.name == STREAM_MANY)
    rates: dict[int, list[float]] = {1: [], 2: []}
    with field(frozenset(("off",))) as one, field(frozenset(("off",)), workers=2) as two:
        fields = {1: one, 2: two}
        for each in fields.values():
            warm(each, each.subjects[0])
        for number in range(rounds):
            for count in (1, 2) if number % 2 else (2, 1):
                each = fields[count]
                rates[count].append(one_slice(each, load, each.subjects[0], number, 0.0).rate)
    return {
        "cpus": os.cpu_count() or 1,
        "one": fmean(rates[1]),
        "two": fmean(rates[2]),
        "ratio": ratio(rates[2], rates[1]),
    }
