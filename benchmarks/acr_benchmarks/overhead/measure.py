"""Lets the subjects take turns and keeps what each slice gave."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import count
from statistics import median

from acr.errors import BenchmarkError
from acr_benchmarks.overhead.job import Job
from acr_benchmarks.overhead.process import Usage
from acr_benchmarks.overhead.running import Field
from acr_benchmarks.overhead.scenarios import Scenario
from acr_benchmarks.overhead.subjects import BARE, Subject

NOTHING = Usage(0.0, 0)
WARM = 0.3
"""Seconds of load before anything counts: imports, pools, memories."""
_seeds = count(1)
"""No two slices send the same request."""


@dataclass(frozen=True, slots=True)
class Slice:
    """What one subject did in one round of a scenario."""

    scenario: str
    subject: str
    round: int
    seconds: float
    count: int
    """Exchanges that came through whole."""
    failed: int
    cpu: float
    """Seconds of processor time of the relay, all its processes."""
    switches: int
    first: list[float]
    """Milliseconds to the first byte, of each exchange."""
    total: list[float]
    delays: list[float]
    stalls: list[float]

    @property
    def rate(self) -> float:
        """Exchanges a second."""
        return self.count / self.seconds


def measure(
    field: Field,
    scenarios: Iterable[Scenario],
    rounds: int,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Slice]:
    """Run every scenario, its subjects in a new order each round.

    Raises `BenchmarkError` if a subject did not do what it is there for.
    """
    for subject in field.subjects:
        warm(field, subject)
    found: list[Slice] = []
    for scenario in scenarios:
        for number in range(rounds):
            subjects = [one for one in field.subjects if scenario.slow or not one.slow]
            random.Random(f"{scenario.name} {number}").shuffle(subjects)
            for subject in subjects:
                found.append(one_slice(field, scenario, subject, number, bare_rate(found)))
        tell(scenario.title)
    return found


def warm(field: Field, subject: Subject) -> None:
    """Load a subject a little. Raises `BenchmarkError` if something fails or is decided otherwise."""
    job = Job(
        field.running[subject.process].port, 8, WARM, talk=subject.talk, headers=subject.headers, seed=0
    )
    result = field.run(job)
    if result.failed or set(result.decisions) != {subject.decision}:
        raise BenchmarkError(f"{subject.name}: {result.failed} failed, decisions {result.decisions}")


def one_slice(field: Field, scenario: Scenario, subject: Subject, number: int, bare: float) -> Slice:
    running = field.running[subject.process]
    job = replace(
        scenario.job,
        port=running.port,
        talk=subject.talk,
        headers=subject.headers,
        rate=scenario.share * bare,
        seed=next(_seeds),
    )
    before = running.process.usage() if running.process else NOTHING
    result = field.run(job)
    used = running.process.usage().since(before) if running.process else NOTHING
    return Slice(
        scenario.name,
        subject.name,
        number,
        result.seconds,
        len(result.total),
        result.failed,
        used.cpu,
        used.switches,
        result.first,
        result.total,
        result.delays,
        result.stalls,
    )


def bare_rate(slices: Iterable[Slice]) -> float:
    """Streams a second that the bare relay carried at 64 connections so far; 200 where it did not run."""
    rates = [one.rate for one in slices if one.subject == BARE and one.scenario == "stream-64"]
    return median(rates) if rates else 200.0
