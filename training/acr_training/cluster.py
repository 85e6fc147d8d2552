"""The same collection on a Ray cluster (extra `ray`): conversations are held by workers on its nodes.

The process that was started is the only one that writes, and keeps the model's answers for all: a worker that
dies loses the conversation it was at, and when that is given to another one, answered calls are not asked
again. A run directory may be begun with one engine and continued with the other.

Ray connects to the cluster that `RAY_ADDRESS` names; without it, it starts one on this machine.
"""

import json
import logging
from collections.abc import AsyncIterator, Callable, Container, Iterable
from contextlib import AsyncExitStack, asynccontextmanager

from acr_benchmarks import cluster as benchmark

from acr.errors import UpstreamError
from acr_training.config import Collect
from acr_training.endpoint import served
from acr_training.holder import Hold, Holder, Key, Step
from acr_training.records import Outcome, State
from acr_training.units import Unit, load

RETRIES = 3
"""How often a dead worker is replaced, and a conversation that died with it tried again."""

address = benchmark.address
"""This machine's address as the cluster's workers reach it."""


class Worker:
    """A Ray actor. It reads the plan's data itself and gives plain data back."""

    def __init__(self, plan: str, key: str, url: str) -> None:
        self.plan = Collect.model_validate_json(plan)
        self.key = key
        self.url = url
        self.stack = AsyncExitStack()
        self.holder: Holder | None = None
        self.units: dict[str, Unit] = {}
        self.calls = 0

    async def ready(self) -> tuple[str, str]:
        return await benchmark.told(self.start())

    async def start(self) -> str:
        loaded = load(self.plan)
        self.units = {unit.name: unit for unit in loaded.units}
        model = self.plan.model.model_copy(update={"key": self.key})
        judge = self.plan.judge.model_copy(update={"key": self.key})
        plan = self.plan.model_copy(update={"model": model, "judge": judge})
        models = await self.stack.enter_async_context(served(plan, self.url, self.count))
        self.holder = Holder(plan, loaded, models)
        return ""

    def count(self) -> None:
        self.calls += 1

    async def hold(self, name: str, done: Iterable[Key]) -> tuple[str, str]:
        return await benchmark.told(self.steps(name, set(done)))

    async def steps(self, name: str, done: set[Key]) -> str:
        """Calls made since the last time, and states with their outcomes, as JSON."""
        assert self.holder is not None
        found = [
            (step.state.model_dump(), [outcome.model_dump() for outcome in step.outcomes])
            async for step in self.holder.hold(self.units[name], done)
        ]
        calls, self.calls = self.calls, 0
        return json.dumps([calls, found])


@asynccontextmanager
async def cluster(plan: Collect, url: str, on_call: Callable[[], None]) -> AsyncIterator[Hold]:
    """What holds conversations on the cluster, a worker for each of its processors.

    Raises `BenchmarkError` where Ray is not installed or the cluster cannot be reached.
    """
    ray = benchmark.installed()
    ray.init(log_to_driver=False, logging_level=logging.ERROR, ignore_reinit_error=True)
    try:
        count = max(1, min(plan.concurrency, int(ray.cluster_resources().get("CPU", 1))))
        share = plan.model_copy(update={"concurrency": -(-plan.concurrency // count)})
        actor = ray.remote(Worker).options(
            num_cpus=1,
            max_concurrency=plan.concurrency + 1,
            max_restarts=RETRIES,
            max_task_retries=RETRIES,
            scheduling_strategy="SPREAD",
        )
        workers = [actor.remote(share.model_dump_json(), plan.model.key, url) for _ in range(count)]
        for worker in workers:
            benchmark.result(await worker.ready.remote())
        busy = [0] * count

        async def hold(unit: Unit, done: Container[Key]) -> AsyncIterator[Step]:
            place = busy.index(min(busy))
            busy[place] += 1
            try:
                keys = list(done) if isinstance(done, Iterable) else []
                calls, steps = json.loads(benchmark.result(await workers[place].hold.remote(unit.name, keys)))
            except ray.exceptions.RayError as error:
                raise UpstreamError(f"a worker was lost: {str(error).splitlines()[0]}") from error
            finally:
                busy[place] -= 1
            for _ in range(calls):
                on_call()
            for state, outcomes in steps:
                yield Step(State.model_validate(state), [*map(Outcome.model_validate, outcomes)])

        yield hold
    finally:
        ray.shutdown()
