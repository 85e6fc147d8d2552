"""Collects the table of paired outcomes: every candidate operator and none, at every state.

A unit of work is one conversation: hold it, take states from it, run every different context of each state.
What is on disk after a kill is used again: answers of the model (`answers.sqlite`, so that equal requests
are asked once), finished contexts (`graph.sqlite`), finished states (the table).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError, TrainingError, UpstreamError
from acr.registry import is_path
from acr_training import cluster, manifest
from acr_training.config import Collect
from acr_training.endpoint import Models, kept, served
from acr_training.holder import Hold, Holder, Step
from acr_training.table import Table
from acr_training.units import Loaded, Unit, load

CHECKPOINTS = "graph.sqlite"


@dataclass(slots=True)
class Result:
    """How a collection went."""

    states: int = 0
    outcomes: int = 0
    failed: list[str] = field(default_factory=list)
    """Units that could not be finished; another start tries them again."""


class Watcher:
    """Told how collection goes. This one says nothing."""

    def begin(self, units: int) -> None:
        """So many conversations."""

    def call(self) -> None:
        """The model answered once."""

    def unit(self, name: str) -> None:
        """One conversation is finished."""

    def failure(self, name: str, error: Exception) -> None:
        """One conversation could not be finished."""


async def run(plan: Collect, watcher: Watcher | None = None) -> Result:
    """Collect what the plan asks for and its directory does not hold yet.

    `plan.model.base_url` must be set. Raises `TrainingError` if the directory holds something else or data
    are unusable, `BenchmarkError` if the server refuses, `UpstreamError` if it is gone.
    """
    watcher, result = watcher or Watcher(), Result()
    loaded = load(plan)
    with Table(plan.out) as table:
        async with AsyncExitStack() as stack:
            host = cluster.address() if plan.engine == "ray" else "127.0.0.1"
            url = await stack.enter_async_context(kept(plan, host))
            models = await stack.enter_async_context(served(plan, url, watcher.call))
            arguments = begin(plan, loaded, models)
            hold: Hold
            forget: Callable[[Step], Awaitable[None]]
            if plan.engine == "ray":
                hold, forget = (
                    await stack.enter_async_context(cluster.cluster(plan, url, watcher.call)),
                    nothing,
                )
            else:
                saver = await stack.enter_async_context(checkpoints(plan.out / CHECKPOINTS))
                holder = Holder(plan, loaded, models, saver)
                hold, forget = holder.hold, holder.forget
            watcher.begin(len(loaded.units))

            async def finish(unit: Unit) -> None:
                async for step in hold(unit, table.outcomes):
                    result.states += table.add_states([step.state])
                    result.outcomes += table.add_outcomes(step.outcomes)
                    await forget(step)

            await work(loaded.units, finish, result, watcher, plan.concurrency)
        results = {"states": len(table.states), "outcomes": len(table.outcomes), "failed": len(result.failed)}
        manifest.note(plan.out, "collect", arguments=arguments, inputs=loaded.inputs, results=results)
    return result


async def nothing(step: Step) -> None:
    """Nothing is to be forgotten: workers of a cluster keep no checkpoints."""


def begin(plan: Collect, loaded: Loaded, models: Models) -> dict[str, Any]:
    """Hold the manifest against the plan and write it. Raises `TrainingError` where they do not agree."""
    fixed = {
        "seed": plan.seed,
        "user": plan.user,
        "controller": Path(plan.controller).name if is_path(plan.controller) else plan.controller,
        "base": models.name,
        "temperature": plan.model.temperature,
        "max_tokens": plan.model.max_tokens,
    }
    manifest.agree(plan.out, "collect", **fixed)
    arguments = fixed | {
        "judge": models.judged_by if loaded.judged else None,
        "operators": sorted(loaded.candidates),
        "runs": plan.runs,
        "sources": [source.model_dump(exclude_none=True) for source in plan.source],
        "exclude": list(plan.exclude),
    }
    manifest.note(plan.out, "collect", arguments=arguments, inputs=loaded.inputs)
    return arguments


async def work(
    units: Sequence[Unit],
    finish: Callable[[Unit], Awaitable[None]],
    result: Result,
    watcher: Watcher,
    concurrency: int,
) -> None:
    """Let workers take the units in order. Ends early when several in a row fail."""
    queue = iter(units)
    in_a_row = 0

    async def worker() -> None:
        nonlocal in_a_row
        for unit in queue:
            try:
                await finish(unit)
            except UpstreamError as error:
                result.failed.append(unit.name)
                watcher.failure(unit.name, error)
                in_a_row += 1
                if in_a_row > max(3, concurrency):
                    raise TrainingError(
                        f"{in_a_row} conversations in a row failed, the last one: {error}. "
                        "Start again when the server is back: what is done is kept"
                    ) from error
                continue
            in_a_row = 0
            watcher.unit(unit.name)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(worker())
    except* (TrainingError, BenchmarkError) as errors:
        raise errors.exceptions[0] from None


@asynccontextmanager
async def checkpoints(path: Path) -> AsyncIterator[Any]:
    """A LangGraph checkpointer in an SQLite file."""
    try:
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    except ImportError as error:
        raise TrainingError(
            "collecting needs more packages: pip install 'adaptive-context-refactoring[learn]'"
        ) from error
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        yield saver
