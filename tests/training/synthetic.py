"""A world in which it is known when to intervene, as data."""

import numpy as np
from acr_training.data import Data
from acr_training.label import label
from acr_training.records import Outcome, state

from acr.controllers.features import NAMES

ACTIONS = ("none", "consolidate", "recap")


def outcome(one, operator, score, tokens):
    return Outcome(
        state=one.id, operator=operator, view=operator or "raw", changed=operator is not None, score=score,
        prompt_tokens=tokens, completion_tokens=0, answer="", last="",
    )  # fmt: skip


def world(count=240, seed=0):
    """`consolidate` is right where an answer is stale, unless the user refers to it; `recap` where there are
    corrections. Everything else is noise; one outcome in ten is a fluke. Two states a group.
    """
    random = np.random.default_rng(seed)
    states, examples, rows = [], [], []
    for number in range(count):
        values = dict.fromkeys(NAMES, 0.0)
        values |= {name: random.uniform(0, 2) for name in ("said", "answered", "bloat", "newest")}
        stale, refers, corrected = random.random(3) < (0.5, 0.3, 0.2)
        values |= {"stale": 0.7 * stale, "reference": 1.0 * refers, "correction": 1.0 * corrected}
        message = {"role": "user", "content": f"{number}"}
        one = state(task="math", item=f"{number // 2}", messages=[message])
        right = {"none": float(refers or not (stale or corrected)),
                 "consolidate": float(stale and not refers), "recap": float(corrected and not refers)}  # fmt: skip
        found = {name: score if random.random() < 0.9 else 1.0 - score for name, score in right.items()}
        outcomes = [
            outcome(one, None if name == "none" else name, score, 1000) for name, score in found.items()
        ]
        states.append(one)
        examples.append(label(one.id, outcomes))
        rows.append(list(values.values()))
    return Data(
        tuple(states),
        tuple(examples),
        np.array(rows),
        ACTIONS,
        np.array([[example.rewards[name] for name in ACTIONS] for example in examples]),
        np.ones((count, len(ACTIONS)), dtype=bool),
    )


def shuffled(data, seed=0):
    """The same states with the outcomes of others."""
    order = np.random.default_rng(seed).permutation(len(data))
    return Data(
        data.states,
        tuple(data.examples[index] for index in order),
        data.x,
        data.actions,
        data.rewards[order],
        data.changed[order],
    )
