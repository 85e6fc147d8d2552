"""Runs code that a model wrote, in a process that can do no harm, and returns what its function returned.

See `sandbox_child` for what it is kept from. Results are compared here, outside: the code never sees what
is expected of it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any

CHILD = Path(__file__).with_name("sandbox_child.py")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use."""

    seconds: float = 10.0
    """Processor time for all calls together."""
    patience: float = 6.0
    """Times `seconds` that it may take on the clock, on a busy machine."""
    memory_mb: int = 512
    output_kb: int = 1024
    """Size of all results together, and of any file it writes."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came out."""

    results: Sequence[Any] = ()
    """One value a call that returned; fewer than the calls if any failed."""
    errors: Sequence[str] = field(default=())
    """Why calls failed, or the whole run: "timeout", "ended early", or the error's own words."""
    isolation: str = ""
    """"kernel", or "audit" where only Python's audit hook stood guard."""


def call(code: str, function: str, calls: Sequence[Sequence[Any]], limits: Limits | None = None) -> Ran:
    """Run `code` and call its function once for each list of arguments (plain JSON values).

    If there is no function of that name, the last one defined is called. Never raises for any code.
    """
    limits = limits or Limits()
    results, errors, isolation = start({"code": code, "function": function, "calls": list(calls)}, limits)
    if len(results) + len(errors) < len(calls) and not errors:
        errors.append("ended early")
    return Ran(results, errors, isolation)


def check(code: str, function: str, test: str, *, before: str = "", limits: Limits | None = None) -> Ran:
    """Run `test`, which defines `check(candidate)`, on the function of `code`; passed if there are no errors.

    The two run in processes of their own, so that the code can neither change the test nor say that it
    passed: it gets arguments and gives back values. `before` is run ahead of each: imports and helpers that
    the task gives.
    """
    limits = limits or Limits()
    job = {"code": code, "function": function, "before": before}
    results: list[Any] = []
    with Child({**job, "serve": True}, limits) as answering, Child({**job, "check": test}, limits) as testing:
        for line in testing.lines():
            if "call" in line:
                answering.send(line["call"])
                testing.send(next(answering.lines(), {"error": "ended early"}))
            elif "result" in line:
                results.append(line["result"])
    errors = [*testing.errors, *answering.failures]
    if results != [True] and not errors:
        errors.append("ended early")
    isolation = {answering.isolation, testing.isolation}
    return Ran((), errors, isolation.pop() if len(isolation) == 1 else "audit")


def start(job: dict[str, Any], limits: Limits) -> tuple[list[Any], list[str], str]:
    """One process, its lines read back."""
    with Child(job, limits) as child:
        child.close()
        results = [decode(line["result"]) for line in child.lines() if "result" in line]
    return results, [*child.errors, *child.failures], child.isolation


class Child:
    """One process in the sandbox, that is sent lines of JSON and sends back such lines. A context manager;
    the process is dead when it is left.
    """

    def __init__(self, job: dict[str, Any], limits: Limits) -> None:
        self.job, self.limits = job, limits
        self.errors: list[str] = []
        """What the child said went wrong."""
        self.failures: list[str] = []
        """What was seen from outside: "timeout", "too much output"."""
        self.isolation = ""
        self.size = 0
        self.rest = b""

    def __enter__(self) -> "Child":
        self.folder = tempfile.TemporaryDirectory(prefix="acr-sandbox-", ignore_cleanup_errors=True)
        self.reading, writing = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(writing,),
            cwd=self.folder.name,
            env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        os.close(writing)
        self.late = Timer(self.limits.seconds * self.limits.patience, end, (self.process,))
        self.late.start()
        limits = self.limits
        self.send(
            self.job
            | {"out": writing, "seconds": limits.seconds}
            | {"memory_mb": limits.memory_mb, "output_kb": limits.output_kb}
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        os.close(self.reading)
        expired = not self.late.is_alive()
        self.late.cancel()
        with suppress(subprocess.TimeoutExpired):  # it has closed its pipe, so it is about to end
            self.process.wait(0.5)
        end(self.process)
        expired |= self.process.wait() == -signal.SIGXCPU
        if expired and not self.failures:
            self.failures.append("timeout")
        self.folder.cleanup()

    def send(self, message: Any) -> None:
        """One line to the child's standard input, if it still listens."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def close(self) -> None:
        """There is no more to come."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def lines(self) -> Iterator[dict[str, Any]]:
        """Results and calls, as they come, until the child closes its pipe or has said too much."""
        while True:
            line, found, self.rest = self.rest.partition(b"\n")
            if not found:
                self.rest = line
                part = os.read(self.reading, 65536)
                self.size += len(part)
                if self.size > self.limits.output_kb << 10:
                    self.failures.append("too much output")
                    return
                if not part:
                    return
                self.rest += part
            elif (made := parse(line)) is not None:
                if "isolation" in made:
                    self.isolation = self.isolation or str(made["isolation"])
                elif "error" in made:
                    self.errors.append(str(made["error"]))
                    if self.job.get("serve"):
                        yield made
                else:
                    yield made


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill it and whatever it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def parse(line: bytes) -> dict[str, Any] | None:
    """One line of the child, or None for what is none."""
    try:
        made = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return made if isinstance(made, dict) else None


def decode(value: Any) -> Any:
    """The reverse of the child's `encode`; what it would not make decodes to itself."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, content),) = value.items()
    try:
        if kind == "float":
            return float(content)
        if kind == "list":
            return [decode(one) for one in content]
        if kind == "tuple":
            return tuple(decode(one) for one in content)
        if kind == "set":
            return {decode(one) for one in content}
        if kind == "dict":
            return {decode(key): decode(one) for key, one in content}
    except (TypeError, ValueError):
        return value
    return value
