"""Operators and controllers by name, through entry points: one door for built-ins and for strangers.

A spec is a name with an optional argument after a colon, `always:recap`. The argument is handed to the
factory as its only positional argument.
"""

import json
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from acr.decision import Controller, Operator, names
from acr.errors import ConfigError, boundary

OPERATORS = "acr.operators"
CONTROLLERS = "acr.controllers"
TASKS = "acr.tasks"


@lru_cache
def available(group: str) -> dict[str, EntryPoint]:
    """Entry points of a group by name, sorted. Reads metadata only; imports nothing of them."""
    return {entry.name: entry for entry in sorted(entry_points(group=group), key=lambda entry: entry.name)}


def load(group: str, spec: str) -> Any:
    """Make what `spec` names in `group`. Raises `ConfigError` naming the known ones."""
    name, _, argument = spec.partition(":")
    entry = available(group).get(name)
    if entry is None:
        known = ", ".join(available(group)) or "none installed"
        raise ConfigError(f"there is no {group.removeprefix('acr.')[:-1]} named {name!r}; known: {known}")
    with boundary(ConfigError, f"loading {spec!r} from {entry.value}"):
        factory = entry.load()
        return factory(argument) if argument else factory()


def operator(spec: str) -> Operator:
    """The operator of that name."""
    made = load(OPERATORS, spec)
    if not isinstance(made, Operator):
        raise ConfigError(f"{spec!r} is not an operator: it needs name, kind and propose()")
    return made


def operators(chosen: Iterable[str] | None = None) -> dict[str, Operator]:
    """All installed operators by name, or only the chosen ones."""
    return {name: operator(name) for name in (available(OPERATORS) if chosen is None else chosen)}


def controller(spec: str) -> Controller:
    """The controller of that spec, such as `rules`, `never` or `always:consolidate`.

    Or of a folder that `acr train` made, such as `runs/mine/signals`: its `controller.json` says whose it is.
    """
    path = Path(spec)
    if spec.partition(":")[0] not in available(CONTROLLERS) and (path.is_dir() or is_path(spec)):
        spec = f"{owner(path)}:{spec}"
    made = load(CONTROLLERS, spec)
    if not isinstance(made, Controller):
        raise ConfigError(f"{spec!r} is not a controller: it needs name and decide()")
    return made


def check(made: Controller, spec: str, operators: Collection[str]) -> None:
    """Whether the operator that a controller's spec names, as `always:recap` does, is one of `operators`.

    Else each request would go on as it came. Raises `ConfigError` with the nearest name. What a controller
    asks for by default is not looked at: it may be among those that were left out on purpose.
    """
    wanted = getattr(made, "operator", None)
    if not isinstance(wanted, str) or wanted not in spec.split(":")[1:]:
        return
    for name in names(wanted):
        if name not in operators:
            near = get_close_matches(name, operators, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            known = ", ".join(sorted(operators))
            raise ConfigError(
                f"controller {spec!r}: there is no operator named {name!r}; {hint}known: {known}"
            )


def unhurried(spec: str) -> Controller:
    """The same with all the time it needs, for measuring what it decides: one with a method `unhurried` is
    loaded, and has no deadline after which another decides for it.
    """
    made = controller(spec)
    patient: Controller = made.unhurried() if hasattr(made, "unhurried") else made
    return patient


def is_path(spec: str) -> bool:
    """Whether a spec speaks of files: nothing that a stranger may name."""
    return "/" in spec or "\\" in spec or ".." in spec


def owner(folder: Path) -> str:
    """The name of the controller that a folder's weights are for. Raises `ConfigError`."""
    file = folder / "controller.json"
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))["controller"])
    except OSError as error:
        raise ConfigError(
            f"{folder} is no folder of a trained controller: {file.name}: {error.strerror}"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise ConfigError(f"{file} does not say whose weights these are ('controller')") from None
