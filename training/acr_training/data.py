"""Examples as arrays: what the `signals` controller is trained and measured on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acr.controllers.features import NAMES, features
from acr.dialects.chat import read
from acr.errors import TrainingError
from acr.signals import observe
from acr_training import table
from acr_training.records import NONE, Example, Split, State

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Data:
    """States with what is known about them, in rows."""

    states: tuple[State, ...]
    examples: tuple[Example, ...]
    x: Floats
    """(states, features): all of `acr.controllers.features.NAMES`."""
    actions: tuple[str, ...]
    """`none`, then all operators of the table."""
    rewards: Floats
    """(states, actions). Of an operator without an outcome: that of none."""
    changed: NDArray[np.bool_]
    """(states, actions): whether the action does anything; True for none."""

    def __len__(self) -> int:
        return len(self.states)

    @property
    def groups(self) -> list[str]:
        return [state.group for state in self.states]

    def column(self, action: str) -> int:
        """Raises ValueError for an action of which the table has no outcome."""
        return self.actions.index(action)

    def rows(self, wanted: Sequence[int] | NDArray[np.int64]) -> "Data":
        """Those rows only."""
        index = np.asarray(wanted, dtype=np.int64)
        return Data(
            tuple(self.states[i] for i in index),
            tuple(self.examples[i] for i in index),
            self.x[index],
            self.actions,
            self.rewards[index],
            self.changed[index],
        )

    def where(self, keep: Callable[[State], bool]) -> "Data":
        return self.rows([index for index, state in enumerate(self.states) if keep(state)])

    def of(self, *splits: Split) -> "Data":
        return self.where(lambda state: state.split in splits)


def load(*paths: Path) -> Data:
    """The examples of one or several run directories. Raises `TrainingError` if there is none."""
    states: dict[str, State] = {}
    examples: dict[str, Example] = {}
    for path in paths:
        states |= table.states(path)
        examples |= {example.state: example for example in table.examples(path)}
    if not examples:
        raise TrainingError(f"{', '.join(map(str, paths))}: no examples; run acr train label first")
    return of(states, list(examples.values()))


def of(states: dict[str, State], examples: Sequence[Example]) -> Data:
    """Arrays of those examples, in a stable order."""
    ordered = sorted(examples, key=lambda one: one.state)
    names = {name for one in ordered for name in one.rewards if name != NONE}
    actions = (NONE, *sorted(names))
    rewards = [[one.rewards.get(name, one.rewards[NONE]) for name in actions] for one in ordered]
    changed = [[name in one.rewards and name not in one.unchanged for name in actions] for one in ordered]
    chosen = tuple(states[one.state] for one in ordered)
    return Data(
        chosen,
        tuple(ordered),
        np.array([row(state) for state in chosen], dtype=np.float64).reshape(len(chosen), len(NAMES)),
        actions,
        np.array(rewards, dtype=np.float64),
        np.array(changed, dtype=np.bool_),
    )


def row(state: State) -> list[float]:
    """All features of a state, in the order of their names."""
    conversation = read(state.messages)
    return list(features(conversation, observe(conversation)).values())


def folds(groups: Sequence[str], count: int, seed: int = 0) -> list[tuple[list[int], list[int]]]:
    """(rows to train on, rows held out) of each fold; no group is on both sides."""
    names = sorted(set(groups))
    np.random.default_rng(seed).shuffle(names)
    fold = {name: index % count for index, name in enumerate(names)}
    parts = range(min(count, len(names)))
    return [
        (
            [index for index, group in enumerate(groups) if fold[group] != part],
            [index for index, group in enumerate(groups) if fold[group] == part],
        )
        for part in parts
    ]
