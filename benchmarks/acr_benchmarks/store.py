"""A run directory: episodes as JSON lines, and what the run was made of.

Killed at any moment, a run is continued by starting it again: a line is appended in one write after its
episode is complete, and a last line that was torn is cut off before the next is written.
"""

import fcntl
import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import ValidationError

from acr.errors import BenchmarkError
from acr_benchmarks.records import Episode, Key

EPISODES = "episodes.jsonl"
MANIFEST = "run.json"


class Store:
    """The run directory, held by one process at a time. A context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: set[Key] = set()
        self._file: int | None = None

    def __enter__(self) -> "Store":
        """Lock and mend. Raises `BenchmarkError` if another run holds the directory or a line is damaged."""
        self.path.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path / EPISODES, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mend(file)
            self.done = {episode.key for episode in episodes(self.path)}
        except BlockingIOError as error:
            os.close(file)
            raise BenchmarkError(f"another run is writing to {self.path}") from error
        except BaseException:
            os.close(file)
            raise
        self._file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def append(self, episode: Episode) -> None:
        """Add one episode, on disk when this returns. Raises `BenchmarkError` if it is there already."""
        if self._file is None:
            raise BenchmarkError("the run directory is not open")
        if episode.key in self.done:
            raise BenchmarkError(f"episode {episode.key} is in {self.path} already")
        line = memoryview((episode.model_dump_json() + "\n").encode())
        while line:
            line = line[os.write(self._file, line) :]
        os.fsync(self._file)
        self.done.add(episode.key)

    def manifest(self) -> dict[str, Any]:
        """What the run is made of; empty for a new one."""
        return manifest(self.path)

    def write_manifest(self, content: Mapping[str, Any]) -> None:
        """Replace the manifest at once or not at all."""
        part = self.path / f"{MANIFEST}.part"
        part.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        part.replace(self.path / MANIFEST)


def mend(file: int) -> None:
    """Cut off a last line that does not end: the write of a killed process."""
    size = os.fstat(file).st_size
    end = size
    while end > 0:
        start = max(0, end - 65536)
        cut = os.pread(file, end - start, start).rfind(b"\n")
        if cut >= 0:
            end = start + cut + 1
            break
        end = start
    if end < size:
        os.ftruncate(file, end)


def manifest(path: Path) -> dict[str, Any]:
    """The manifest of a run directory; empty where there is none."""
    try:
        return dict(json.loads((path / MANIFEST).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        raise BenchmarkError(f"{path / MANIFEST} cannot be read: {error}") from error


def episodes(path: Path) -> list[Episode]:
    """All complete episodes of a run directory, from `episodes.jsonl` or `episodes.jsonl.gz`.

    A torn last line is skipped. Raises `BenchmarkError` for any other damage and for an episode that is
    there twice.
    """
    plain, packed = path / EPISODES, path / f"{EPISODES}.gz"
    try:
        data = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
    except FileNotFoundError as error:
        raise BenchmarkError(f"{path} is no run directory: it has no {EPISODES}") from error
    except (OSError, EOFError) as error:
        raise BenchmarkError(f"{packed} cannot be read: {error}") from error
    found: dict[Key, Episode] = {}
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            episode = Episode.model_validate_json(line)
        except ValidationError as error:
            raise BenchmarkError(f"{path / EPISODES}, line {number} is damaged: {error}") from error
        if episode.key in found:
            raise BenchmarkError(f"{path / EPISODES}, line {number}: episode {episode.key} is there twice")
        found[episode.key] = episode
    return list(found.values())
