"""The loads under which the subjects are compared."""

from dataclasses import dataclass, replace

from acr_benchmarks.overhead.job import Job

STREAM_ONE, STREAM_MANY, PACED = "stream-1", "stream-64", "paced-256"
"""Scenarios that the table of targets reads."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A load. `job` has no port yet and no headers."""

    name: str
    title: str
    job: Job
    share: float = 0.0
    """In an open loop: requests a second as a share of what the bare relay carried with 64 streams."""
    slow: bool = False
    """Whether subjects that carry a few requests a second take part."""


def scenarios(seconds: float) -> tuple[Scenario, ...]:
    """All of them. A slice of each takes `seconds`; paced ones as long as their streams."""
    job = Job(0, seconds=seconds)
    streams = [
        Scenario(
            f"stream-{count}", f"streams, {count} at once", replace(job, connections=count), slow=count != 8
        )
        for count in (1, 8, 64)
    ]
    whole = [
        Scenario(
            f"whole-{count}", f"not streamed, {count} at once", replace(job, connections=count, stream=False)
        )
        for count in (1, 64)
    ]
    sizes = [
        Scenario(
            f"size-{tokens // 1000}k",
            f"streams, 8 at once, {tokens:,} tokens",
            replace(job, connections=8, tokens=tokens),
        )
        for tokens in (1_000, 10_000, 100_000)
    ]
    steady = replace(job, connections=64)
    opened = [Scenario("open-50", "open loop at half of the bare relay's rate", steady, share=0.5)]
    return (*streams, *whole, *sizes, *opened, paced(32), paced(256))


def paced(streams: int) -> Scenario:
    """Streams whose events come 20 ms apart, as a model's do; each connection carries one or two."""
    job = Job(0, connections=streams, seconds=1.0, requests=streams, chunks=50, gap=20_000)
    return Scenario(f"paced-{streams}", f"{streams} paced streams, an event each 20 ms", job)


QUICK = (STREAM_ONE, STREAM_MANY, "whole-64", "paced-32")
