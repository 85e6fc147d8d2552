"""A plan's data, read: the conversations that states are taken from, as units of work."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from acr_benchmarks import store, users
from acr_benchmarks import task as tasks
from acr_benchmarks.task import Item, Task

from acr import registry
from acr.decision import Operator
from acr.engine import Engine, model_backed
from acr.errors import TrainingError
from acr_training import states
from acr_training.config import Collect, Source
from acr_training.model import Model
from acr_training.records import State, split

Units = list["Unit"]


@dataclass(frozen=True, slots=True)
class Unit:
    """One conversation to take states from."""

    name: str
    states: Callable[[Model], Awaitable[list[State]]]


@dataclass(frozen=True)
class Loaded:
    """A plan's data, read."""

    tasks: Mapping[str, Task]
    items: Mapping[tuple[str, str], Item]
    units: Sequence[Unit]
    operators: Mapping[str, Operator]
    inputs: Mapping[str, Path]
    judged: bool
    """Whether there are states that no task scores."""


def load(plan: Collect) -> Loaded:
    """Read what the plan names. Raises `TrainingError`, `BenchmarkError` or `ConfigError`."""
    operators = candidates(plan.operators)
    engine = Engine(registry.controller(plan.controller), operators)
    reported = used(plan.exclude)
    made: dict[str, Task] = {}
    items: dict[tuple[str, str], Item] = {}
    units: list[Units] = []
    inputs: dict[str, Path] = {}
    for number, source in enumerate(plan.source):
        path = source.traces or source.dialogues
        if source.task is None:
            assert path is not None
            found = states.of_traces(path) if source.traces else states.of_dialogues(path)
            chosen = drawn([one for one in found if one.split in source.splits], source, plan.seed)
            units.append([Unit(one.id, ready(one)) for one in chosen])
        else:
            task = made.setdefault(source.task, tasks.load(source.task))
            path = source.data or task.path()
            free = [
                item
                for item in tasks.read(path, source.task)
                if split(f"{source.task}/{item.id}") in source.splits
                and (source.task, item.id) not in reported
            ]
            chosen_items = drawn(free, source, plan.seed)
            items |= {(source.task, item.id): item for item in chosen_items}
            units.append([played(plan, source, task, item, engine) for item in chosen_items])
        inputs[f"{number}:{source.task or path.name}"] = path
    if not any(units):
        raise TrainingError("there is nothing to collect: no item is left after splits and exclusions")
    judged = any(source.task is None for source in plan.source)
    return Loaded(made, items, list(interleaved(units)), operators, inputs, judged)


def candidates(names: Sequence[str]) -> dict[str, Operator]:
    """The operators to try; none named: all that are installed and need no model of their own."""
    made = registry.operators(names or None)
    return made if names else {name: one for name, one in made.items() if not model_backed(one)}


def drawn(found: Sequence[Any], source: Source, seed: int) -> list[Any]:
    """As many as the source wants, by lot, so that the order of a file plays no part."""
    shuffled = list(found)
    Random(f"{seed}/items").shuffle(shuffled)
    return shuffled[: source.items]


def interleaved(units: Sequence[Units]) -> Iterator[Unit]:
    """Units of all sources in turn, spread evenly: a part of a collection is a collection."""
    placed = [
        ((index + 0.5) / len(each), number, unit)
        for number, each in enumerate(units)
        for index, unit in enumerate(each)
    ]
    return (unit for _, _, unit in sorted(placed, key=lambda row: row[:2]))


def used(folders: Sequence[Path]) -> set[tuple[str, str]]:
    """Task and id of all items with episodes under the folders. Raises `TrainingError` if there is none."""
    found: set[tuple[str, str]] = set()
    for folder in folders:
        files = [*folder.rglob(store.EPISODES), *folder.rglob(f"{store.EPISODES}.gz")]
        if not files:
            raise TrainingError(f"{folder} holds no run of acr bench, so there is nothing to exclude")
        for file in files:
            found |= {(episode.task, episode.item) for episode in store.episodes(file.parent)}
    return found


def ready(one: State) -> Callable[[Model], Awaitable[list[State]]]:
    async def states_of(model: Model) -> list[State]:
        return [one]

    return states_of


def played(plan: Collect, source: Source, task: Task, item: Item, engine: Engine) -> Unit:
    user = users.make(plan.user, str(plan.seed))

    async def states_of(model: Model) -> list[State]:
        found = await states.played(task, item, engine, model, user, seed=plan.seed)
        return states.chosen(found, source.turns, plan.seed)

    return Unit(f"{task.name}/{item.id}", states_of)
