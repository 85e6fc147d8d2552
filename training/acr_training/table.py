"""The table of paired outcomes on disk: JSON lines, one writer, safe to kill.

A line is appended in one write and flushed; a last line that a killed process left torn is cut off before
the next one is written. Readers need no lock: they skip a torn last line.
"""

import fcntl
import gzip
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from acr_benchmarks.store import mend
from pydantic import BaseModel, ValidationError

from acr.errors import TrainingError
from acr_training.records import Example, Outcome, State

STATES = "states.jsonl"
OUTCOMES = "outcomes.jsonl"
EXAMPLES = "examples.jsonl"

Record = TypeVar("Record", bound=BaseModel)


class Table:
    """States and outcomes of a run directory, open for adding. A context manager; one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.states: dict[str, State] = {}
        self.outcomes: dict[tuple[str, str | None, int], Outcome] = {}
        self._files: dict[str, int] = {}

    def __enter__(self) -> "Table":
        """Lock, mend and read. Raises `TrainingError` if another process writes here or a line is damaged."""
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            for name in (STATES, OUTCOMES):
                file = os.open(self.path / name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
                self._files[name] = file
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                mend(file)
            self.states = states(self.path)
            self.outcomes = {outcome.key: outcome for outcome in outcomes(self.path)}
        except BlockingIOError as error:
            self._close()
            raise TrainingError(f"another process is collecting into {self.path}") from error
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for file in self._files.values():
            os.close(file)
        self._files.clear()

    def add_states(self, found: Iterable[State]) -> int:
        """Add those that are not there yet; how many that were."""
        new = {state.id: state for state in found if state.id not in self.states}
        self._append(STATES, list(new.values()))
        self.states |= new
        return len(new)

    def add_outcomes(self, found: Iterable[Outcome]) -> int:
        """Add those that are not there yet, on disk when this returns; how many that were."""
        new = {outcome.key: outcome for outcome in found if outcome.key not in self.outcomes}
        self._append(OUTCOMES, list(new.values()))
        self.outcomes |= new
        return len(new)

    def _append(self, name: str, records: Sequence[BaseModel]) -> None:
        if not records:
            return
        file = self._files.get(name)
        if file is None:
            raise TrainingError(f"{self.path} is not open")
        block = memoryview("".join(record.model_dump_json() + "\n" for record in records).encode())
        while block:
            block = block[os.write(file, block) :]
        os.fsync(file)


def states(path: Path) -> dict[str, State]:
    """The states of a run directory by id, in order. Raises `TrainingError`."""
    return {state.id: state for state in read(path / STATES, State)}


def outcomes(path: Path) -> list[Outcome]:
    """The outcomes of a run directory. Raises `TrainingError`."""
    return read(path / OUTCOMES, Outcome)


def examples(path: Path) -> list[Example]:
    """The examples of a run directory, as `acr train label` wrote them. Raises `TrainingError`."""
    return read(path / EXAMPLES, Example)


def by_state(found: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Outcomes of each state."""
    grouped: dict[str, list[Outcome]] = {}
    for outcome in found:
        grouped.setdefault(outcome.state, []).append(outcome)
    return grouped


def read(path: Path, kind: type[Record]) -> list[Record]:
    """All complete lines of a file, or of the same packed by gzip.

    Raises `TrainingError` naming the damaged line, or the missing file.
    """
    packed = path.with_name(path.name + ".gz")
    try:
        unpack = not path.exists() and packed.exists()
        content = gzip.decompress(packed.read_bytes()) if unpack else path.read_bytes()
    except OSError as error:
        raise TrainingError(f"cannot read {path}: {error.strerror or error}") from error
    lines = content.split(b"\n")[:-1]
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(kind.model_validate_json(line))
        except ValidationError as error:
            raise TrainingError(f"{path}, line {number} is damaged: {error}") from error
    return found


def write(path: Path, records: Iterable[BaseModel]) -> None:
    """Replace a file of records at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text("".join(record.model_dump_json() + "\n" for record in records), encoding="utf-8")
    part.replace(path)
