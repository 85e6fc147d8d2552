"""Where model files lie, and whether one is whole.

Hashing a gigabyte takes seconds, so a verified file gets a note beside it with its size and time of change;
a start looks at the note and at the file's first bytes only.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Literal

from acr.embedded.catalogue import MODELS, Model
from acr.errors import ModelError

MAGIC = b"GGUF"

State = Literal["absent", "present", "damaged"]


def cache() -> Path:
    """ACR's folder for what can be fetched again: `$ACR_CACHE`, else `acr` in the user's cache folder."""
    if own := os.environ.get("ACR_CACHE"):
        return Path(own).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "acr"


def made(folder: Path) -> Path:
    """`folder`, made if need be. Raises `ModelError` if it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ModelError(
            f"the cache folder {folder} cannot be made ({error.strerror}): set ACR_CACHE to a folder "
            "that can be written to"
        ) from error
    return folder


def path(model: Model) -> Path:
    """Where the model's file belongs."""
    return cache() / "models" / model.file


def digest(file: Path) -> str:
    """SHA-256 of a file in hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _note(file: Path) -> Path:
    return file.with_name(file.name + ".verified")


def _stamp(file: Path, model: Model) -> str:
    status = file.stat()
    return json.dumps({"sha256": model.sha256, "size": status.st_size, "changed": status.st_mtime_ns})


def note(model: Model, file: Path) -> None:
    """Remember that `file` has the right hash as it is now."""
    _note(file).write_text(_stamp(file, model))


def forget(model: Model) -> None:
    """Remove the model's file and its note, if they are there."""
    for file in (path(model), _note(path(model))):
        file.unlink(missing_ok=True)


def state(model: Model) -> State:
    """Whether the model's file is there and whole. Hashes it only if that was not done since it changed."""
    file = path(model)
    if not file.is_file():
        return "absent"
    with file.open("rb") as stream:
        head = stream.read(len(MAGIC))
    if head != MAGIC or file.stat().st_size != model.size:
        return "damaged"
    seen = _note(file)
    if seen.is_file() and seen.read_text() == _stamp(file, model):
        return "present"
    if digest(file) != model.sha256:
        return "damaged"
    note(model, file)
    return "present"


def ready(model: Model) -> Path:
    """The model's file, whole. Raises `ModelError` saying what to do if it is missing or damaged."""
    found = state(model)
    if found == "absent":
        raise ModelError(f"model {model.name} is not on this machine: run 'acr model pull {model.name}'")
    if found == "damaged":
        raise ModelError(
            f"the file of model {model.name} is damaged ({path(model)}): run 'acr model pull {model.name}' "
            "to fetch it anew"
        )
    return path(model)


def installed() -> list[Model]:
    """Models whose files are there and whole."""
    return [model for model in MODELS.values() if state(model) == "present"]
