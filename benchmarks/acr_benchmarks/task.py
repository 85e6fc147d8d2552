"""What a benchmark task is, and how its items are read.

A task is one file in `tasks/` and one entry point in the group `acr.tasks`; `benchmarks/README.md` shows
how to add one. Items come in the schema of the Lost-in-Conversation release (arXiv 2505.06120): a JSON
list, or JSON lines, of objects with `task_id`, `task`, `shards: [{shard_id, shard}]` and whatever else
the task needs. A shard may carry `variants`, other wordings of the same content.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from acr import registry
from acr.errors import BenchmarkError


@dataclass(frozen=True, slots=True)
class Shard:
    """One piece of an instruction, as the user reveals it in one turn."""

    id: int
    text: str
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One instruction in pieces."""

    id: str
    task: str
    shards: tuple[Shard, ...]
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The whole record as it stood in the file."""
    ordered: bool = False
    """Whether the pieces are material (documents, tables) that every user hands over in the order and in the
    words of the file."""

    def text(self, key: str) -> str:
        """A field of the record that must be a string. Raises `BenchmarkError` if it is not."""
        value = self.data.get(key)
        if not isinstance(value, str):
            raise BenchmarkError(f"item {self.id!r} has no text field {key!r}")
        return value


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read out of one response as its answer."""

    text: str
    explicit: bool = True
    """Whether the response presented it as its answer. False where it was merely the best guess of the
    extraction; such an answer is scored all the same."""


@runtime_checkable
class Task(Protocol):
    """A kind of instruction: its prompts, and how an answer is read and scored. No base class.

    `extract` and `score` see text written by a model: they must not raise for any text.
    """

    name: str
    licence: str
    """SPDX identifier of the built-in data."""

    def path(self) -> Path:
        """The built-in data."""
        ...

    def system(self, item: Item) -> str:
        """The system prompt, the same in every setting."""
        ...

    def full(self, item: Item) -> str:
        """The whole instruction in one user message, as it was first written."""
        ...

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        """The whole instruction in one user message, as the pieces that SHARDED would reveal."""
        ...

    def extract(self, item: Item, response: str) -> Answer | None:
        """The answer in a response; None where there is none."""
        ...

    def score(self, item: Item, answer: str) -> float:
        """In [0, 1]; 1 is right. May block (it is called in a thread)."""
        ...


@runtime_checkable
class Fixed(Protocol):
    """What a task has besides, if its items are whole conversations rather than pieces."""

    def conversation(self, item: Item) -> Sequence[Mapping[str, Any]]:
        """The messages, the newest by the user. The model is called once, for the reply to it."""
        ...


@runtime_checkable
class Prepares(Protocol):
    """What a task has besides, if its items need something done before a user can say their pieces."""

    def prepare(self, item: Item) -> Item:
        """The item with the pieces as they are said."""
        ...


@runtime_checkable
class Facts(Protocol):
    """What a task has besides, if its score depends on more than this file: versions, a judge's name."""

    def facts(self) -> Mapping[str, str]:
        """Goes into every episode."""
        ...


@runtime_checkable
class ScoredLast(Protocol):
    """What a task has besides, if scoring costs so much that only the last answer is worth it."""

    last_only: bool


def load(name: str) -> Task:
    """The installed task of that name. Raises `ConfigError` naming the known ones."""
    made = registry.load(registry.TASKS, name)
    if not isinstance(made, Task):
        raise BenchmarkError(f"{name!r} is not a task: see acr_benchmarks.task.Task for what it needs")
    return made


def items(task: Task, path: Path, kind: str) -> list[Item]:
    """The items of `kind` in a file, ready for a user. `kind` is the name that the task was asked for by.

    Raises `BenchmarkError` as `read` does, and where the task cannot make sense of an item.
    """
    found = read(path, kind)
    return [task.prepare(item) for item in found] if isinstance(task, Prepares) else found


def read(path: Path, task: str) -> list[Item]:
    """The items of `task` in a file. Others in it are skipped.

    Raises `BenchmarkError` if the file cannot be read, holds none of that task, or one id twice.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BenchmarkError(f"cannot read {path}: {error}") from error
    items = [parse(record, path) for record in records(text, path)]
    chosen = [item for item in items if item.task == task]
    if not chosen:
        found = ", ".join(sorted({item.task for item in items})) or "nothing"
        raise BenchmarkError(f"{path} holds no items of task {task!r}; it holds {found}")
    seen: set[str] = set()
    for item in chosen:
        if item.id in seen:
            raise BenchmarkError(f"{path} holds item {item.id!r} twice")
        seen.add(item.id)
    return chosen


def records(text: str, path: Path) -> list[Any]:
    """The objects of a JSON list or of JSON lines. Raises `BenchmarkError` naming the line."""
    try:
        if text.lstrip().startswith("["):
            return list(json.loads(text))
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError as error:
        raise BenchmarkError(f"{path} is neither a JSON list nor JSON lines: {error}") from error


def parse(record: Any, path: Path) -> Item:
    """One item. Raises `BenchmarkError` saying what is missing."""
    try:
        id, task, rows = record["task_id"], record["task"], record["shards"]
        shards = tuple(
            Shard(int(row["shard_id"]), str(row["shard"]), tuple(map(str, row.get("variants", ()))))
            for row in rows
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BenchmarkError(
            f"{path}: an item needs task_id, task and shards [{{shard_id, shard}}] ({error!r})"
        ) from error
    if not shards:
        raise BenchmarkError(f"{path}: item {id!r} has no shards")
    return Item(str(id), str(task), shards, record)


def bullets(pieces: Sequence[str]) -> str:
    """Pieces as a list, one a line."""
    return "\n".join(f"- {piece}" for piece in pieces)
