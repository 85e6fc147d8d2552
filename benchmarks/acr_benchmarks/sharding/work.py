"""The pipeline over a file of instructions, step by step, each step kept: killed, it goes on where it was."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError, UpstreamError
from acr_benchmarks import task as tasks
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.sharding import cut, review, verify
from acr_benchmarks.sharding.checks import faults
from acr_benchmarks.sharding.cut import Piece
from acr_benchmarks.sharding.verify import FORMS, Sampling
from acr_benchmarks.store import mend
from acr_benchmarks.task import Item, Task

STEPS, REVIEW = "steps.jsonl", "review.md"


class Steps:
    """What is done: a JSON line for each step of each item. A context manager; a torn line is cut off."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / STEPS
        self.done: dict[tuple[str, str], Any] = {}

    def __enter__(self) -> "Steps":
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        mend(self.file)
        self.done = steps(self.path)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.file)

    async def once(self, id: str, step: str, do: Callable[[], Awaitable[Any]]) -> Any:
        """The result of a step, done now if it was not."""
        if (id, step) not in self.done:
            value = await do()
            os.write(self.file, (json.dumps([id, step, value], ensure_ascii=False) + "\n").encode())
            self.done[id, step] = value
        return self.done[id, step]


def steps(path: Path) -> dict[tuple[str, str], Any]:
    """All complete steps in a file. Raises `BenchmarkError` naming a damaged line."""
    found: dict[tuple[str, str], Any] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        try:
            id, step, value = json.loads(line)
        except ValueError as error:
            raise BenchmarkError(f"{path}, line {number} is damaged: {error}") from error
        found[id, step] = value
    return found


@dataclass(frozen=True, slots=True)
class Plan:
    """What to shard, and how."""

    file: Path
    task: str
    out: Path
    endpoint: Endpoint
    runs: int = 10
    """Answers to each of the three forms; 0 leaves verification out."""
    limit: int | None = None
    concurrency: int = 4
    sampling: Sampling = field(default_factory=Sampling)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one instruction. `notes` say it in words."""

    id: str
    instruction: str
    pieces: Sequence[Piece]
    verified: bool
    notes: Sequence[str]


def instructions(path: Path, task: str, limit: int | None) -> list[dict[str, Any]]:
    """The records of a file, with the task's name filled in. Raises `BenchmarkError` if an id is missing."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BenchmarkError(f"cannot read {path}: {error}") from error
    rows = tasks.records(text, path)
    ids = [row.get("task_id") if isinstance(row, dict) else None for row in rows]
    if None in ids or len(set(map(str, ids))) < len(ids):
        raise BenchmarkError(f"{path}: every instruction needs a task_id of its own")
    return [{**row, "task_id": str(row["task_id"]), "task": task} for row in rows][:limit]


async def run(plan: Plan, tell: Callable[[Outcome], None] = lambda outcome: None) -> list[Outcome]:
    """All outcomes, in the order of the file; the review file is written or added to.

    Raises `BenchmarkError` for unusable instructions and a server that refuses, `UpstreamError` if it is
    gone.
    """
    task = tasks.load(plan.task)
    rows = instructions(plan.file, plan.task, plan.limit)
    endpoint = await plan.endpoint.known()
    gate = asyncio.Semaphore(plan.concurrency)
    with Steps(plan.out) as done:

        async def one(row: dict[str, Any]) -> Outcome:
            async with gate:
                outcome = await shard(row, task, plan, endpoint, done)
            tell(outcome)
            return outcome

        try:
            async with asyncio.TaskGroup() as group:
                made = [group.create_task(one(row)) for row in rows]
        except* (BenchmarkError, UpstreamError) as errors:
            raise errors.exceptions[0] from None
        outcomes = [future.result() for future in made]
    write(plan.out / REVIEW, outcomes)
    return outcomes


async def shard(row: Mapping[str, Any], task: Task, plan: Plan, endpoint: Endpoint, done: Steps) -> Outcome:
    """One instruction through all steps."""
    id = row["task_id"]
    whole = item(row, [Piece("?")])
    text = task.full(whole)

    async def record() -> Any:
        return dict(row)

    async def segment() -> Any:
        return await cut.segment(endpoint, text)

    if await done.once(id, "record", record) != dict(row):
        raise BenchmarkError(
            f"{id!r} is another instruction than the one begun in {plan.out}: take another directory"
        )
    parts = await done.once(id, "segments", segment)
    if not parts:
        return Outcome(id, text, (), False, ["dropped: the model found fewer than 3 segments"])

    async def rephrase() -> Any:
        return [asdict(piece) for piece in await cut.rephrase(endpoint, text, parts)]

    pieces = [Piece(one["text"], tuple(one["variants"])) for one in await done.once(id, "shards", rephrase)]
    if not pieces:
        return Outcome(id, text, (), False, ["dropped: the model gave no shards"])
    problems = list(faults(text, [piece.text for piece in pieces]))
    notes = [f"check: {problem}" for problem in problems] or ["checks: nothing found"]
    if not plan.runs:
        return Outcome(id, text, pieces, False, [*notes, "not verified: no runs"])
    sharded = item(row, pieces)

    async def score(form: verify.Form, run: int) -> float:
        async def attempt() -> Any:
            return await verify.attempt(task, sharded, form, run, endpoint, plan.sampling)

        return float(await done.once(id, f"{form}/{run}", attempt))

    scores = {form: [await score(form, run) for run in range(plan.runs)] for form in FORMS}
    verified, said = verify.verdict(scores)
    return Outcome(id, text, pieces, verified, [*notes, said])


def item(row: Mapping[str, Any], pieces: Sequence[Piece]) -> Item:
    """The item that these pieces make of a record."""
    return tasks.parse(sharded(row, pieces), Path(str(row["task_id"])))


def sharded(row: Mapping[str, Any], pieces: Sequence[Piece]) -> dict[str, Any]:
    """A record in the schema of the benchmark."""
    return {
        **row,
        "shards": [
            {"shard_id": number, "shard": piece.text, "variants": list(piece.variants)}
            for number, piece in enumerate(pieces, 1)
        ],
    }


def write(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Add what is not in the review file yet: a person may have begun to edit it."""
    text = path.read_text(encoding="utf-8") if path.exists() else review.HEAD
    known = {reviewed.id for reviewed in review.read(text)}
    for outcome in outcomes:
        if outcome.pieces and outcome.id not in known:
            text += "\n" + review.section(outcome.id, outcome.instruction, outcome.pieces, outcome.notes)
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def accept(path: Path, out: Path) -> tuple[int, list[str]]:
    """Write the ticked items of a review file as JSON lines. How many, and what the checks still say of them.

    Raises `BenchmarkError` if the file makes no sense, an item is unknown, or one has too few pieces.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BenchmarkError(f"cannot read {path}: {error}") from error
    known = steps(path.parent / STEPS)
    made, said = [], []
    for reviewed in review.read(text):
        if not reviewed.accepted:
            continue
        row = known.get((reviewed.id, "record"))
        if row is None:
            raise BenchmarkError(f"{path.parent / STEPS} knows no item {reviewed.id!r}")
        if len(reviewed.pieces) < 3 or not all(piece.text for piece in reviewed.pieces):
            raise BenchmarkError(f"item {reviewed.id!r} needs at least 3 pieces, and none of them empty")
        task = tasks.load(row["task"])
        instruction = task.full(item(row, reviewed.pieces))
        said += [
            f"{reviewed.id}: {problem}"
            for problem in faults(instruction, [piece.text for piece in reviewed.pieces])
        ]
        made.append(sharded(row, reviewed.pieces))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made), encoding="utf-8")
    return len(made), said
