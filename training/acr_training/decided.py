"""Decisions of a controller, kept: they can be measured again when its weights are not there any more.

{"lm": {"<id of a state>": ["consolidate", 0.93], "<another>": [null, 0.9]}}
"""

from collections.abc import Sequence
from pathlib import Path

from acr.decision import Decision
from acr.errors import TrainingError
from acr_training import manifest
from acr_training.data import Data

FILE = "decisions.json"

Decided = dict[str, tuple[str | None, float]]
"""Operator and confidence by state."""


def of(decisions: Sequence[Decision], data: Data) -> Decided:
    """Decisions at the states of `data`, as they are kept."""
    return {
        state.id: (one.operator, round(one.confidence, 4))
        for state, one in zip(data.states, decisions, strict=True)
    }


def at(name: str, kept: Decided, data: Data) -> list[Decision]:
    """The kept decisions at the states of `data`. Raises `TrainingError` where one is missing."""
    missing = sum(state.id not in kept for state in data.states)
    if missing:
        raise TrainingError(f"of {name} no decision is kept at {missing} of {len(data)} states")
    return [Decision(kept[state.id][0], "kept", kept[state.id][1]) for state in data.states]


def load(path: Path) -> dict[str, Decided]:
    """By name of the controller. Raises `TrainingError` for a file that is none of decisions."""
    content = manifest.read_json(path, None)
    try:
        return {
            name: {state: (operator, float(sure)) for state, (operator, sure) in kept.items()}
            for name, kept in content.items()
        }
    except (AttributeError, TypeError, ValueError):
        raise TrainingError(f"{path} holds no decisions") from None


def add(path: Path, found: dict[str, Decided]) -> None:
    """Put decisions into a file, beside those of other controllers and at other states."""
    kept = load(path) if path.exists() else {}
    for name, decisions in found.items():
        kept[name] = kept.get(name, {}) | decisions
    manifest.save(path, kept)
