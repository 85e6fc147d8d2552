"""Decisions of a controller, kept: they can be measured again when its weights are not there any more.

{"lm": {"<id of a state>": "consolidate 0.93", "<another>": "none 0.9"}}
"""

from collections.abc import Sequence
from pathlib import Path

from acr.decision import Decision
from acr.errors import TrainingError
from acr_training import manifest
from acr_training.data import Data
from acr_training.records import NONE

FILE = "decisions.json"

Decided = dict[str, str]
"""Operator or none, and confidence, by state."""


def of(decisions: Sequence[Decision], data: Data) -> Decided:
    """Decisions at the states of `data`, as they are kept."""
    return {
        state.id: f"{one.operator or NONE} {round(one.confidence, 4)}"
        for state, one in zip(data.states, decisions, strict=True)
    }


def at(name: str, kept: Decided, data: Data) -> list[Decision]:
    """The kept decisions at the states of `data`. Raises `TrainingError` where one is missing."""
    missing = sum(state.id not in kept for state in data.states)
    if missing:
        raise TrainingError(f"of {name} no decision is kept at {missing} of {len(data)} states")
    return [read(kept[state.id]) for state in data.states]


def read(text: str) -> Decision:
    """A kept decision. Raises ValueError."""
    action, sure = text.split(" ")
    return Decision(None if action == NONE else action, "kept", float(sure))


def load(path: Path) -> dict[str, Decided]:
    """By name of the controller. Raises `TrainingError` for a file that is none of decisions."""
    content: dict[str, Decided] = manifest.read_json(path, None)
    try:
        for kept in content.values():
            for text in kept.values():
                read(text)
    except (AttributeError, ValueError):
        raise TrainingError(f"{path} holds no decisions") from None
    return content


def add(path: Path, found: dict[str, Decided]) -> None:
    """Put decisions into a file, beside those of other controllers and at other states."""
    kept = load(path) if path.exists() else {}
    for name, decisions in found.items():
        kept[name] = kept.get(name, {}) | decisions
    manifest.save(path, kept)
