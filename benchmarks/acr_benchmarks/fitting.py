"""How the fitted constants of the reading and of `rules` were obtained, so that they can be again.

    python -m acr_benchmarks.fitting references DATA > acr/reading/weights.py
    python -m acr_benchmarks.fitting rules DATA

DATA is a folder with `lic_traces_dev.jsonl` and `sharded_gsm8k_train.json`. Only
the tuning halves are fitted on.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

from acr import registry
from acr.conversation import Conversation, Turn
from acr.reading import reference
from acr.reading.clues import clues
from acr.reading.dialogue import read, readers
from acr.signals import observe
from acr_benchmarks import controls, logged, references
from acr_benchmarks.logged import half

HERE = Path(__file__).parent / "data"
Row = tuple[Mapping[str, float], bool, float]
"""The clues of a turn, whether it refers, and its weight."""

_GUESS = "With an assumed number of 10, that makes 10 * 2 = 20. The answer is 20."


def clues_of(conversation: Conversation) -> Mapping[str, float] | None:
    """The clues that the reading weighs at the newest turn; None if it decides before it weighs any."""
    with _recorded() as before:
        read(Conversation(conversation.turns[:-1]))
    with _recorded() as after:
        read(Conversation(conversation.turns))
    return after[-1] if len(after) > len(before) else None


@contextmanager
def _recorded() -> Iterator[list[Mapping[str, float]]]:
    seen: list[Mapping[str, float]] = []

    def record(*given: object, **named: object) -> Mapping[str, float]:
        seen.append({name: float(value) for name, value in clues(*given, **named).items()})  # type: ignore[arg-type]
        return seen[-1]

    readers.clear()  # or what was read before would not be weighed again
    with patch.object(reference, "clues", record):
        yield seen


def labelled(data: Path) -> Iterator[tuple[Conversation, bool, float]]:
    """All that the weights are fitted on: conversation, whether its newest turn refers, weight."""
    for one in references.load():
        if one.half == "tuning":
            yield one.conversation, bool(one.needs), 1.0
    for one in references.load(references.MORE):
        rare = one.kind in ("topic_switch", "question_own")  # more of these were written than people ask
        yield one.conversation, bool(one.needs), 0.3 if rare else 1.0
    for kept in controls.load(HERE / "keep.jsonl"):
        if half(kept.id) == "tuning":
            yield kept.conversation, True, 0.5
    for control in controls.load():
        said = "\n".join(turn.text for turn in control.conversation.assistants)
        survives = any(text in said for group in control.survive for text in group)
        if control.category in ("reference", "computed") or (
            control.category in ("reply", "decision") and survives
        ):
            yield control.conversation, True, 0.5
    for row in map(json.loads, (HERE / "scattered.jsonl").read_text(encoding="utf-8").splitlines()):
        if half(row["id"]) == "tuning":
            for end in range(3, len(row["texts"]) + 1, 2):
                yield talk(row["texts"][:end]), False, 1.5
    for item in json.loads((data / "sharded_gsm8k_train.json").read_text(encoding="utf-8"))[:120]:
        first, *rest = (shard["shard"] for shard in item["shards"])
        for shard in rest:
            yield talk([first, _GUESS, shard]), False, 0.3
    for log in logged.load(data / "lic_traces_dev.jsonl"):
        for number, turn in enumerate(log.turns):
            if log.half == "tuning" and number and turn.reveals:
                yield log.conversation("plain", number + 1), False, 0.6


def talk(texts: list[str]) -> Conversation:
    return Conversation(
        tuple(Turn(str(i), "assistant" if i % 2 else "user", text) for i, text in enumerate(texts))
    )


def fit(rows: list[Row], penalty: float = 1.0, steps: int = 50) -> tuple[float, dict[str, float]]:
    """Logistic regression with an L2 penalty, by Newton's method. The bias and the weight of each clue."""
    names = list(rows[0][0])
    x = np.array([[1.0, *(row[0][name] for name in names)] for row in rows])
    y = np.array([float(row[1]) for row in rows])
    weight = np.array([row[2] for row in rows])
    ridge = np.eye(x.shape[1]) * penalty
    ridge[0, 0] = 1e-3
    beta = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-x @ beta))
        slope = x.T @ (weight * (y - p)) - ridge @ beta
        beta = beta + np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + ridge, slope)
    return float(beta[0]), dict(zip(names, map(float, beta[1:]), strict=True))


def weights(data: Path) -> str:
    """The module `acr/reading/weights.py`, fitted anew. Its threshold is kept."""
    rows = [
        (found, refers, weight)
        for said, refers, weight in labelled(data)
        if (found := clues_of(said)) is not None
    ]
    bias, fitted = fit(rows)
    source = Path(reference.__file__).with_name("weights.py").read_text(encoding="utf-8")
    head = source[: source.index("BIAS = ")]
    lines = [f'    "{name}": {value:.2f},' for name, value in fitted.items()]
    return head + "\n".join([f"BIAS = {bias:.2f}", "WEIGHTS = {", *lines, "}"])


def rules(data: Path) -> str:
    """`RISK` and `SHARES` of `acr.controllers.rules`, and how well the risk fits the reported half."""
    decide = registry.controller("rules").decide
    found: dict[str, list[tuple[int, bool]]] = {part: [] for part in logged.HALVES}
    for log in logged.load(data / "lic_traces_dev.jsonl"):
        for form in logged.FORMS:
            for end in range(2, len(log.turns) + 1):
                said = log.conversation(form, end)
                signals = observe(said)
                acts = decide(said, signals).operator is not None
                counts = (signals[name].value for name in ("stale", "drafts", "artefacts"))
                most = int(max(counts)) if acts else 0
                found[log.half].append((most, log.lost))
    tuning = found["tuning"]
    risk = isotonic([[lost for most, lost in tuning if min(most, 3) == count] for count in range(4)])
    shares = [sum(most >= count for most, _ in tuning) / len(tuning) for count in range(1, 13)]
    lines = [f"RISK = {[round(value, 2) for value in risk]}", f"SHARES = {[round(s, 3) for s in shares]}", ""]
    lines += ["| stale answers | said | ended wrong | turns |", "|" + " --- |" * 4]
    error = 0.0
    reported = found["reported"]
    for count in range(4):
        ended = [lost for most, lost in reported if min(most, 3) == count]
        error += abs(sum(ended) - risk[count] * len(ended)) / len(reported)
        share = sum(ended) / max(1, len(ended))
        lines.append(f"| {count or 'left alone'} | {risk[count]:.2f} | {share:.2f} | {len(ended)} |")
    scores = [[float(most) for most, lost in reported if lost is wrong] for wrong in (True, False)]
    return "\n".join([*lines, "", f"ECE {error:.3f}, AUC {logged.auc(*scores):.3f} on the reported half"])


def isotonic(groups: list[list[bool]]) -> list[float]:
    """The share of each group, pooled with its neighbours where it would fall (pool adjacent violators)."""
    pools: list[list[float]] = []
    for group in groups:
        pools.append([float(sum(group)), float(len(group)), 1])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] > pools[-1][0] * pools[-2][1]:
            hits, size, width = pools.pop()
            pools[-1] = [pools[-1][0] + hits, pools[-1][1] + size, pools[-1][2] + width]
    return [hits / max(1, size) for hits, size, width in pools for _ in range(int(width))]


COMMANDS: Mapping[str, Callable[[Path], str]] = {"references": weights, "rules": rules}

if __name__ == "__main__":
    print(COMMANDS[sys.argv[1]](Path(sys.argv[2])))
