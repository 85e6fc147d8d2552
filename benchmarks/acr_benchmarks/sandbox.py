"""Runs code that a model wrote, in a process that can do no harm, and returns what its function returned.

See `sandbox_child` for what it is kept from. Results are compared here, outside: the code never sees what
is expected of it.
"""

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
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
    """Run `code`, then `test`, which defines `check(candidate)`; passed if there are no errors.

    `before` is run ahead of each of the two, apart: imports and helpers that the task gives.
    """
    nonce = secrets.token_hex(16)
    job = {"code": code, "function": function, "check": test, "before": before, "nonce": nonce}
    results, errors, isolation = start(job, limits or Limits())
    if results != [nonce] and not errors:
        errors.append("ended early")
    return Ran((), errors, isolation)


def start(job: dict[str, Any], limits: Limits) -> tuple[list[Any], list[str], str]:
    """One process, its lines read back."""
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory(prefix="acr-sandbox-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(writing,),
            cwd=folder,
            env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        os.close(writing)
        late = Timer(limits.seconds * limits.patience, end, (process,))
        late.start()
        limited = job | {"out": writing, "seconds": limits.seconds, "memory_mb": limits.memory_mb}
        try:
            assert process.stdin is not None
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(limited | {"output_kb": limits.output_kb}).encode())
                process.stdin.close()
            data, over = drain(reading, limits.output_kb << 10)
        finally:
            os.close(reading)
            expired = not late.is_alive()
            late.cancel()
            with suppress(subprocess.TimeoutExpired):  # it has closed its pipe, so it is about to end
                process.wait(0.5)
            end(process)
            expired |= process.wait() == -signal.SIGXCPU
    lines = [parsed for line in data.split(b"\n") if (parsed := parse(line)) is not None]
    errors = [str(line["error"]) for line in lines if "error" in line]
    if over:
        errors.append("too much output")
    elif expired:
        errors.append("timeout")
    results = [decode(line["result"]) for line in lines if "result" in line]
    return results, errors, next((str(line["isolation"]) for line in lines if "isolation" in line), "")


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill it and whatever it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def drain(descriptor: int, most: int) -> tuple[bytes, bool]:
    """All that comes, or the first `most` bytes and the news that there was more."""
    parts, size = [], 0
    while part := os.read(descriptor, 65536):
        parts.append(part)
        size += len(part)
        if size > most:
            return b"".join(parts)[:most], True
    return b"".join(parts), False


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
