"""`acr serve` as processes of their own, as they stand behind a balancer."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from acr.errors import BenchmarkError

READY = re.compile(r"^ACR is ready at (\S+)/v1$")


@contextmanager
def instance(**settings: str) -> Iterator[str]:
    """The root address of a running proxy with these settings, which are variables without their prefix.

    Raises `BenchmarkError` if it does not start.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ACR_")}
    given = {f"ACR_{name.upper()}": value for name, value in settings.items()}
    process = subprocess.Popen(
        [Path(sys.executable).with_name("acr"), "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=inherited | given,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := READY.match(line.rstrip()):
                yield found[1]
                return
        raise BenchmarkError("acr serve did not start")
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def instances(count: int, **settings: str) -> Iterator[list[str]]:
    """Several with the same settings, started one after the other: they share this machine's cores."""
    with ExitStack() as stack:
        yield [stack.enter_context(instance(**settings)) for _ in range(count)]


async def started(stack: ExitStack, count: int, **settings: str) -> list[str]:
    """The same, while this program's own loop serves what the instances ask for."""
    return await asyncio.to_thread(stack.enter_context, instances(count, **settings))
