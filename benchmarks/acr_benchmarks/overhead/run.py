"""One run of the harness, from the start of its processes to plain data."""

import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from acr_benchmarks.overhead import engine
from acr_benchmarks.overhead.footprint import GROWN, at_rest, footprint
from acr_benchmarks.overhead.measure import measure
from acr_benchmarks.overhead.ratios import figures
from acr_benchmarks.overhead.running import field
from acr_benchmarks.overhead.scenarios import QUICK, scenarios
from acr_benchmarks.overhead.subjects import ACR, SUBJECTS
from acr_benchmarks.overhead.workers import scaling


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how long."""

    subjects: frozenset[str] = frozenset(one.name for one in SUBJECTS)
    scenarios: frozenset[str] = frozenset()
    """Their names; all if empty."""
    rounds: int = 8
    seconds: float = 1.0
    requests: int = GROWN
    """For the growth of memory; 0 leaves it out."""
    turns: tuple[int, ...] = (10, 20, 100, 1_000, 2_000)
    workers: bool = True
    """Whether two workers are compared with one."""

    @classmethod
    def quick(cls) -> "Plan":
        """Under a minute on two processors."""
        subjects = frozenset(("direct", "bare", "off", "observe", "auto", "intervening"))
        return cls(subjects, frozenset(QUICK), 4, 0.25, 1_000, (20, 100), False)


def run(plan: Plan, tell: Callable[[str], None] = lambda line: None) -> dict[str, Any]:
    """Measure and give plain data. Raises `BenchmarkError` if something does not start or does not work."""
    chosen = [one for one in scenarios(plan.seconds) if not plan.scenarios or one.name in plan.scenarios]
    load = os.getloadavg()[0]
    with field(plan.subjects) as taking_part:
        rest = at_rest(taking_part)
        slices = measure(taking_part, chosen, plan.rounds, tell)
        found = footprint(taking_part, rest, plan.requests) if plan.requests and ACR in rest else None
    return {
        "machine": {
            "cpus": os.cpu_count(),
            "python": platform.python_version(),
            "load": f"{load:.1f}",
            "version": version("adaptive-context-refactoring"),
        },
        "rounds": plan.rounds,
        "seconds": plan.seconds,
        "titles": {one.name: one.title for one in chosen},
        "figures": figures(slices),
        "memory": rest,
        "footprint": asdict(found) if found else {},
        "engine": engine.measure(plan.turns) if plan.turns else {},
        "workers": scaling(plan.rounds, plan.seconds) if plan.workers else {},
    }
