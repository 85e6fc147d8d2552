"""A plan's data, read: the conversations that states are taken from, as units of work."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from acr_benchmarks import settings, store, users
from acr_benchmarks import task as tasks
from acr_benchmarks.task import Fixed, Item, Task

from acr import registry
from acr.decision import Operator, names
from acr.engine import Engine, model_backed
from acr.errors import TrainingError
from acr_training import states
from acr_training.config import Collect, Source
from acr_training.draw import draw
from acr_training.model import Model
from acr_training.records import Split, State, split
from acr_training.roll import score

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
    candidates: Sequence[str]
    """What is tried at each state: operators, or several in turn."""
    inputs: Mapping[str, Path]
    judged: bool
    """Whether there are states that no task scores."""


def load(plan: Collect) -> Loaded:
    """Read what the plan names. Raises `TrainingError`, `BenchmarkError` or `ConfigError`."""
    operators = parts(plan.operators)
    engine = Engine(registry.unhurried(plan.controller), operators)
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
                if usable(split(f"{source.task}/{item.id}"), source, item.id in reported)
            ]
            chosen_items = drawn(free, source, plan.seed)
            items |= {(source.task, item.id): item for item in chosen_items}
            units.append([played(plan, source, task, item, engine) for item in chosen_items])
        inputs[f"{number}:{source.task or path.name}"] = path
    if not any(units):
        raise TrainingError("there is nothing to collect: no item is left after splits and exclusions")
    judged = any(source.task is None for source in plan.source)
    return Loaded(
        made,
        items,
        list(interleaved(units)),
        operators,
        candidates(plan.operators, operators),
        inputs,
        judged,
    )


def usable(where: Split, source: Source, reported: bool) -> bool:
    """Whether an item may be collected. Nothing is learned from the split `test`: that may be reported on."""
    return where in source.splits and (where == "test" or not reported)


def candidates(wanted: Sequence[str], operators: Mapping[str, Operator]) -> Sequence[str]:
    """What is tried: what is wanted, or else each of the operators."""
    return wanted or tuple(operators)


def parts(wanted: Sequence[str]) -> dict[str, Operator]:
    """The operators that candidates consist of; none named: all installed ones that need no model."""
    made = registry.operators(sorted({part for one in wanted for part in names(one)}) or None)
    return made if wanted else {name: one for name, one in made.items() if not model_backed(one)}


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


def used(places: Sequence[Path]) -> set[str]:
    """Ids of all items that were told over several turns under the folders, or are listed in files.

    Items of single-turn settings do not count: asking them once is how solvable ones are found. Raises
    `TrainingError` for a folder without episodes, or a file that cannot be read.
    """
    found: set[str] = set()
    for folder in places:
        if not folder.is_dir():
            found |= listed(folder)
            continue
        files = [*folder.rglob(store.EPISODES), *folder.rglob(f"{store.EPISODES}.gz")]
        if not files:
            raise TrainingError(f"{folder} holds no run of acr bench, so there is nothing to exclude")
        for file in files:
            episodes = store.episodes(file.parent)
            found |= {one.item for one in episodes if not settings.parse(one.setting).single_turn}
    return found


def listed(file: Path) -> set[str]:
    """The item ids of a file, one a line."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TrainingError(f"cannot read {file}: {error}") from error
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}


def ready(one: State) -> Callable[[Model], Awaitable[list[State]]]:
    async def states_of(model: Model) -> list[State]:
        return [one]

    return states_of


def played(plan: Collect, source: Source, task: Task, item: Item, engine: Engine) -> Unit:
    user = users.make(plan.user, str(plan.seed))

    async def states_of(model: Model) -> list[State]:
        if source.solvable and not await solved(task, item, model, plan.seed):
            return []
        found = await states.played(task, item, engine, model, user, seed=plan.seed)
        return states.chosen(found, source.turns, plan.seed)

    return Unit(f"{task.name}/{item.id}", states_of)


async def solved(task: Task, item: Item, model: Model, seed: int) -> bool:
    """Whether the model solves an item told at once. Items that are whole conversations always count."""
    if isinstance(task, Fixed):
        return True
    messages = [
        {"role": "system", "content": task.system(item)},
        {"role": "user", "content": task.full(item)},
    ]
    reply = await model.complete(messages, draw(seed, f"{task.name}/{item.id}", 0, 0))
    return await score(task, item, reply.text) >= 1.0
