"""What ACR takes before it does anything: memory, time to import, time until it answers."""

import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from acr_benchmarks.overhead.job import Job
from acr_benchmarks.overhead.running import Field
from acr_benchmarks.overhead.subjects import ACR

IMPORT = "import time; start = time.perf_counter(); import acr; print(time.perf_counter() - start)"
TRIES = 5
SETTLED = 3.0
"""Seconds after the start in which ACR loads its vocabulary, several times what that takes."""
WARM, GROWN = 3_000, 50_000
"""Requests before the memory is read the first time, and between that and the second."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """Memory in MB (10^6 bytes)."""

    import_ms: float
    """Fastest of several: the others tell of the machine."""
    ready_s: float
    rest_mb: float
    warm_mb: float
    grown_mb: float
    requests: int
    """Between `warm_mb` and `grown_mb`."""


def import_time() -> float:
    """Milliseconds that `import acr` takes in a new interpreter."""
    runs = [
        subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
        for _ in range(TRIES)
    ]
    return 1000 * min(float(run.stdout) for run in runs)


def footprint(field: Field, rest: Mapping[str, float], requests: int = GROWN) -> Footprint:
    """`rest` is the memory of each process before it was asked anything."""
    running = field.running[ACR]
    assert running.process is not None
    load = Job(running.port, 16, 600.0, min(WARM, requests), seed=7_000_000)
    field.run(load)
    warm = running.process.rss()
    field.run(Job(running.port, 16, 600.0, requests, seed=8_000_000))
    return Footprint(import_time(), running.ready, rest[ACR], warm, running.process.rss(), requests)


def at_rest(field: Field) -> dict[str, float]:
    """Memory of each process, the middle of a few looks, once what is loaded after the start is in."""
    time.sleep(SETTLED)
    return {
        name: median(one.process.rss() for _ in range(3))
        for name, one in field.running.items()
        if one.process is not None
    }
