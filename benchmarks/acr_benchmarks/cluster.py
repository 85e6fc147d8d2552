"""The same conversations on a Ray cluster (extra `ray`): each worker has proxies of its own on its node.

The process that was started is the only one that writes: it hands out the conversations, and appends what
comes back. So a run directory may be begun with one engine and continued with the other, and no
conversation is in it twice, whatever dies. A worker that dies is started again and given its conversations
once more.

Ray connects to the cluster that `RAY_ADDRESS` names; without it, it starts one on this machine.
"""

import logging
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError, UpstreamError
from acr_benchmarks.episode import Job
from acr_benchmarks.holder import Calls, Hold, Holder
from acr_benchmarks.records import Episode
from acr_benchmarks.settings import Setting

RETRIES = 3
"""How often a dead worker is replaced, and a conversation that died with it tried again."""


class Worker:
    """A Ray actor. It sends plain text back: an episode, or the kind of a failure and its words."""

    def __init__(self, calls: Calls, settings: Sequence[Setting]) -> None:
        self.holder = Holder(calls, Path(tempfile.gettempdir()) / f"acr-bench-{os.getpid()}.log")
        self.settings = settings

    async def ready(self) -> tuple[str, str]:
        """Start what the settings need."""
        return await told(self.start())

    async def start(self) -> str:
        await self.holder.open(self.settings)
        return ""

    async def hold(self, job: Job) -> tuple[str, str]:
        return await told(self.text(job))

    async def text(self, job: Job) -> str:
        return (await self.holder.hold(job)).model_dump_json()


async def told(work: Any) -> tuple[str, str]:
    """("", result), or the kind of an expected failure and its message."""
    try:
        return "", await work
    except (UpstreamError, BenchmarkError) as error:
        return type(error).__name__, str(error)


def result(answer: tuple[str, str]) -> str:
    """What `told` was given, or its failure raised again."""
    kind, text = answer
    if kind:
        raise UpstreamError(text) if kind == UpstreamError.__name__ else BenchmarkError(text)
    return text


@asynccontextmanager
async def cluster(calls: Calls, settings: Iterable[Setting], concurrency: int) -> AsyncIterator[Hold]:
    """What holds conversations on the cluster, a worker for each of its processors, at most `concurrency`.

    Raises `BenchmarkError` where Ray is not installed, the cluster cannot be reached or a proxy does not
    come up.
    """
    ray = installed()
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, ignore_reinit_error=True)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise BenchmarkError(f"there is no Ray cluster: {error}") from error
    try:
        count = max(1, min(concurrency, int(ray.cluster_resources().get("CPU", 1))))
        actor = ray.remote(Worker).options(
            num_cpus=1,
            max_concurrency=concurrency + 1,
            max_restarts=RETRIES,
            max_task_retries=RETRIES,
            scheduling_strategy="SPREAD",
        )
        workers = [actor.remote(calls, list(settings)) for _ in range(count)]
        for worker in workers:
            result(await worker.ready.remote())
        busy = [0] * count

        async def hold(job: Job, on_turn: Callable[[], None]) -> Episode:
            place = busy.index(min(busy))
            busy[place] += 1
            try:
                text = result(await workers[place].hold.remote(job))
            except ray.exceptions.RayError as error:
                raise UpstreamError(f"a worker was lost: {str(error).splitlines()[0]}") from error
            finally:
                busy[place] -= 1
            episode = Episode.model_validate_json(text)
            for _ in episode.turns:
                on_turn()
            return episode

        yield hold
    finally:
        ray.shutdown()


def installed() -> Any:
    """Ray. Raises `BenchmarkError` where it is not installed."""
    try:
        return import_module("ray")
    except ImportError as error:
        message = "--engine ray needs Ray: pip install 'adaptive-context-refactoring[ray]'"
        raise BenchmarkError(message) from error


def address() -> str:
    """This machine's address as the cluster's workers reach it. Raises as `installed` does."""
    return str(installed().util.get_node_ip_address())
