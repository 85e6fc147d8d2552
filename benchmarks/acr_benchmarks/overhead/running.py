"""Starts everything that takes part and tells where it listens."""

import http.client
import json
import os
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from acr.errors import BenchmarkError
from acr_benchmarks.overhead.job import Job, Result
from acr_benchmarks.overhead.process import Process
from acr_benchmarks.overhead.subjects import PORT, SUBJECTS, Command, Subject, commands

PATIENCE = 90.0
"""Seconds in which a relay must be ready."""


@dataclass(frozen=True, slots=True)
class Running:
    """A relay under way. The direct way has no process: it is the upstream."""

    port: int
    process: Process | None
    ready: float
    """Seconds from its start until it answered."""


@dataclass(frozen=True, slots=True)
class Field:
    """All that takes part."""

    subjects: tuple[Subject, ...]
    running: Mapping[str, Running]
    """By name of process; the direct way by the empty name."""
    load: Process
    results: Path
    """Where the load generator puts what it saw: too long for a line of a pipe."""
    upstream: Process

    def run(self, job: Job) -> Result:
        """Have the load generator do a job. Raises `BenchmarkError` if it died."""
        self.load.stdin.write(json.dumps(asdict(job)) + "\n")
        self.load.stdin.flush()
        if not self.load.stdout.readline():
            raise BenchmarkError("the load generator died")
        return Result(**{**json.loads(self.results.read_text(encoding="utf-8")), "job": job})


@contextmanager
def field(names: frozenset[str], workers: int = 1) -> Iterator[Field]:
    """Start upstream, load generator and the relays that the subjects of those names need, one by one."""
    with ExitStack() as stack:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ACR_")}

        def start(*module: str) -> Process:
            return stack.enter_context(Process((sys.executable, "-m", *module), environment))

        results = Path(stack.enter_context(TemporaryDirectory(prefix="acr-overhead-"))) / "result.json"
        upstream, load = start(f"{__package__}.upstream"), start(f"{__package__}.load", str(results))
        port = int(upstream.stdout.readline())
        running = {"": Running(port, None, 0.0)}
        known = commands(f"http://127.0.0.1:{port}", workers)
        subjects = [
            one for one in SUBJECTS if one.name in names and (one.process in known or not one.process)
        ]
        for name in dict.fromkeys(one.process for one in subjects if one.process):
            running[name] = launch(stack, known[name], environment)
        yield Field(tuple(subjects), running, load, results, upstream)


def launch(stack: ExitStack, command: Command, environment: Mapping[str, str]) -> Running:
    """Start a relay and wait until it answers. Raises `BenchmarkError` if it does not."""
    port = free_port()
    words = [str(port) if word == PORT else word for word in command.words]
    start = time.perf_counter()
    process = stack.enter_context(Process(words, {**environment, **command.environment}))
    while not answers(port, command.ready):
        if not process.alive or time.perf_counter() - start > PATIENCE:
            raise BenchmarkError(f"did not start: {' '.join(words)[:200]}")
        time.sleep(0.005)
    return Running(port, process, time.perf_counter() - start)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
