"""Holds a conversation and runs every context of its states, in one process."""

from collections.abc import AsyncIterator, Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any

from acr_training import graph
from acr_training.config import Collect
from acr_training.endpoint import Models
from acr_training.records import Outcome, State, digest
from acr_training.units import Loaded, Unit

Key = tuple[str, str | None, int]
"""State, operator, run: what an outcome is of."""


@dataclass(frozen=True)
class Step:
    """What came of one run of one state. No outcomes: the state is new, and nothing was run yet."""

    state: State
    outcomes: list[Outcome]
    thread: str = ""


Hold = Callable[[Unit, Container[Key]], AsyncIterator[Step]]
"""Works off a unit: the steps of it that are not done yet."""


class Holder:
    """Works off units. `checkpointer` is LangGraph's; without one a state that was broken off begins anew."""

    def __init__(self, plan: Collect, loaded: Loaded, models: Models, checkpointer: Any = None) -> None:
        self.plan = plan
        self.candidates: Sequence[str] = sorted(loaded.candidates)
        self.models = models
        self.checkpointer = checkpointer
        bench = graph.Bench(
            models.base,
            loaded.operators,
            self.candidates,
            plan.seed,
            loaded.tasks,
            loaded.items,
            models.judge,
            models.judged_by,
        )
        self.flow = graph.build(bench, checkpointer=checkpointer)

    async def hold(self, unit: Unit, done: Container[Key]) -> AsyncIterator[Step]:
        """The steps of a unit that are not `done`. Raises `UpstreamError` or `BenchmarkError`."""
        for state in await unit.states(self.models.base):
            yield Step(state, [])
            for run in self.missing(state, done):
                thread = digest([state.id, run, self.candidates, self.plan.seed, self.models.name])
                yield Step(state, await graph.run(self.flow, state, run, thread), thread)

    def missing(self, state: State, done: Container[Key]) -> list[int]:
        """The runs of a state that lack an outcome."""
        names = (None, *self.candidates)
        return [run for run in range(self.plan.runs) if any((state.id, n, run) not in done for n in names)]

    async def forget(self, step: Step) -> None:
        """Drop the checkpoints of a step whose outcomes are in the table."""
        if self.checkpointer is not None and step.thread:
            await self.checkpointer.adelete_thread(step.thread)
