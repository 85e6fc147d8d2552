"""What a run directory was made of: for each step its arguments, hashes of what it read, versions, results.

One JSON file, written anew at each step. The model card is made from it.
"""

import hashlib
import json
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from acr.errors import TrainingError

FILE = "manifest.json"
PACKAGES = ("scikit-learn", "numpy", "langgraph", "torch", "transformers", "trl", "peft")


def load(path: Path) -> dict[str, Any]:
    """The manifest of a run directory; an empty one where there is none. Raises `TrainingError`."""
    return dict(read_json(path / FILE, {"version": 1, "steps": {}}))


def note(
    path: Path,
    step: str,
    *,
    arguments: Mapping[str, Any],
    inputs: Mapping[str, Path] | None = None,
    results: Mapping[str, Any] | None = None,
) -> None:
    """Write down a step, in place of what an earlier run of the same step left."""
    content = load(path)
    content["steps"][step] = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "arguments": plain(dict(arguments)),
        "inputs": {
            name: {"file": file.name, "sha256": sha256(file)} for name, file in (inputs or {}).items()
        },
        "results": dict(results or {}),
        "versions": versions(),
    }
    save(path / FILE, content)


def plain(value: Any) -> Any:
    """Plain data: of a path its name only, since folders of a machine mean nothing elsewhere."""
    if isinstance(value, Path):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def agree(path: Path, step: str, **fixed: Any) -> None:
    """Raises `TrainingError` if a step was begun in that directory with other values of `fixed`."""
    before = load(path)["steps"].get(step, {}).get("arguments", {})
    for name, value in fixed.items():
        if name in before and before[name] != plain(value):
            raise TrainingError(
                f"{path} was begun with {name} = {before[name]!r}, not {value!r}: take another directory"
            )


def read_json(path: Path, otherwise: Any) -> Any:
    """The content of a JSON file; `otherwise` where there is none. Raises `TrainingError`."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return otherwise
    except (ValueError, OSError) as error:
        raise TrainingError(f"{path} cannot be read: {error}") from error


def save(path: Path, content: Any) -> None:
    """Replace a JSON file at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def versions() -> dict[str, str]:
    """Python, acr, and what is installed of the packages that results depend on."""
    found = {"python": platform.python_version(), "acr": version("adaptive-context-refactoring")}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
