"""From a table of outcomes to what the trainers take: prompts, labels, pairs and rewards. No torch."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from acr.dialects import chat
from acr.errors import TrainingError
from acr.lm.rendering import Tokenizer, render
from acr.signals import observe
from acr_training import table
from acr_training.records import NONE, Example, Split, State

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Labels are read off as one token each: a space and a letter."""


@dataclass(frozen=True, slots=True)
class Row:
    """A state as the model reads it, with what is known about it."""

    state: str
    split: Split
    prompt: str
    label: str
    rewards: Mapping[str, float]

    def reward(self, action: str, otherwise: float) -> float:
        """Of an action at this state; `otherwise` where the table does not know it."""
        return self.rewards.get(action, otherwise)

    @property
    def best(self) -> float:
        return max(self.rewards.values())


@dataclass(frozen=True, slots=True)
class Data:
    """All rows, and the labels in the order of their letters; "none" is the first."""

    rows: tuple[Row, ...]
    labels: tuple[str, ...]

    def of(self, split: Split) -> list[Row]:
        return [row for row in self.rows if row.split == split]

    @property
    def letters(self) -> dict[str, str]:
        """By label, the text of its token."""
        return {label: f" {letter}" for label, letter in zip(self.labels, LETTERS, strict=False)}


def load(path: Path, tokenizer: Tokenizer, labels: Sequence[str] = ()) -> Data:
    """Read the table in `path`. `labels`: those of an earlier step, to be kept in their order.

    Raises `TrainingError` if there is nothing to train on or to hold out, or a label is unknown.
    """
    states = table.states(path)
    examples = [example for example in table.examples(path) if example.state in states]
    rows = tuple(row(states[example.state], example, tokenizer) for example in examples)
    found = Data(rows, tuple(labels) or names(rows))
    for split in ("train", "dev"):
        if not found.of(split):
            raise TrainingError(f"{path} has no labelled state in the {split} split")
    if len(found.labels) > len(LETTERS):
        raise TrainingError(f"{path} has {len(found.labels)} labels; at most {len(LETTERS)} are possible")
    unknown = {row.label for row in found.rows} - set(found.labels)
    if unknown:
        raise TrainingError(
            f"{path} has labels that the earlier step did not know: {', '.join(sorted(unknown))}"
        )
    return found


def row(state: State, example: Example, tokenizer: Tokenizer) -> Row:
    """The signals are read from the messages anew, as they will be in serving."""
    conversation = chat.read(state.messages)
    prompt = render(conversation, observe(conversation), tokenizer)
    rewards = example.rewards or {example.label: 0.0}
    return Row(state.id, state.split, prompt, example.label, rewards)


@dataclass(frozen=True, slots=True)
class Preference:
    """What should be decided at a state, and something that should not."""

    prompt: str
    better: str
    worse: str


def preferences(rows: Sequence[Row], margin: float, each: int, seed: int) -> list[Preference]:
    """At most `each` pairs a state, drawn by seed; in half of all, none is the better one.

    The better one is what the table says should be decided: where an operator beats none, that operator, and
    the worse one is anything that falls behind it by more than `margin`. Elsewhere it is none, and the worse
    one any operator, for ties go to none. A pair of two operators at a state at which none would do says
    which of them is better, and is learnt as a wish to intervene.
    """
    chance = random.Random(seed)
    doing: list[Preference] = []
    leaving: list[Preference] = []
    for row in rows:
        behind = row.rewards[row.label] - margin if row.label != NONE else math.inf
        worse = [name for name, reward in row.rewards.items() if name != row.label and reward < behind]
        found = [Preference(row.prompt, row.label, name) for name in worse]
        (leaving if row.label == NONE else doing).extend(chance.sample(found, min(each, len(found))))
    count = min(len(doing), len(leaving))
    return [*chance.sample(doing, count), *chance.sample(leaving, count)]


def names(rows: Sequence[Row]) -> tuple[str, ...]:
    """Every action that the table knows; "none" first, the others by name."""
    known = {action for one in rows for action in (*one.rewards, one.label)} - {NONE}
    return (NONE, *sorted(known))


def shuffled(data: Data, seed: int) -> Data:
    """The same prompts with what is known of other states, in the train split only."""
    rows = list(data.rows)
    places = [place for place, row in enumerate(rows) if row.split == "train"]
    others = places[:]
    random.Random(seed).shuffle(others)
    for place, other in zip(places, others, strict=True):
        source = data.rows[other]
        rows[place] = replace(rows[place], label=source.label, rewards=source.rewards)
    return Data(tuple(rows), data.labels)
