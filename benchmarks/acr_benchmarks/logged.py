"""How well the reading does on logged conversations, turn by turn, without a model.

Each line of the file is one conversation on a sharded task: per turn the user's text, the shard it newly
reveals, the assistant's text, the response type that a model gave it (LiC, §4) and whether its answer was
right. User turns may restate all earlier ones ("Just to reiterate, … Also, …"); every figure is given for the
restating form as logged and for its plain new part.

    python -m acr_benchmarks.logged lic_traces_dev.jsonl
"""

import asyncio
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Literal

from acr import registry
from acr.conversation import Conversation, Role, Turn
from acr.engine import Engine, Outcome
from acr.reading.dialogue import read
from acr.reading.features import features
from acr.signals import observe

Form = Literal["plain", "restating"]
FORMS: tuple[Form, ...] = ("plain", "restating")
HALVES = ("tuning", "reported")

_NEW = re.compile(r"\A\s*Just to reiterate,.*^Also,\s*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """A user turn with the answer it got."""

    user: str
    assistant: str
    kind: str
    """Response type as logged: `answer_attempt`, `clarification`, `refuse`, …"""
    reveals: bool
    """Reveals a shard that no earlier turn did."""


@dataclass(frozen=True, slots=True)
class Logged:
    """A conversation as logged."""

    id: str
    task_id: str
    turns: tuple[LoggedTurn, ...]
    lost: bool
    """Everything was said, and it did not end with a right answer."""

    @property
    def half(self) -> str:
        """By hash of the task id: conversations on one task are never on both sides."""
        return half(self.task_id)

    def conversation(self, form: Form, turns: int) -> Conversation:
        """What a model saw when user turn number `turns` (from 1) came. Ids are positions."""
        texts: list[tuple[Role, str]] = []
        for turn in self.turns[:turns]:
            texts += [("user", new_part(turn.user) if form == "plain" else turn.user)]
            texts += [("assistant", turn.assistant)]
        return Conversation(tuple(Turn(str(i), role, text) for i, (role, text) in enumerate(texts[:-1])))


def half(id: str) -> str:
    return HALVES[sha256(id.encode()).digest()[0] % 2]


def new_part(user: str) -> str:
    """The part of a user turn that restates nothing."""
    return _NEW.sub("", user).strip()


def load(path: Path) -> list[Logged]:
    """Conversations of a file of JSON lines. Raises `OSError`, `ValueError` or `KeyError` if it is none."""
    return [_logged(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _logged(row: dict[str, object]) -> Logged:
    turns, revealed = [], 0
    raw: list[dict[str, object]] = row["turns"]  # type: ignore[assignment]
    for turn in raw:
        count = int(turn["rev"])  # type: ignore[call-overload]
        turns.append(LoggedTurn(str(turn["user"]), str(turn["asst"]), str(turn["rt"]), count > revealed))
        revealed = max(revealed, count)
    lost = revealed == row["n_shards"] and raw[-1].get("ok") is not True
    return Logged(str(row["conv_id"]), str(row["task_id"]), tuple(turns), lost)


@dataclass(slots=True)
class Found:
    """Counts over conversations; each pair is (found, of)."""

    attempts: list[float] = field(default_factory=list)
    """Probabilities given to logged attempts."""
    others: list[float] = field(default_factory=list)
    """Probabilities given to all other answers."""
    premature: list[bool] = field(default_factory=list)
    """For each attempt that a later shard made premature: flagged when that shard came?"""
    kept: list[bool] = field(default_factory=list)
    """For each turn and each shard revealed so far: its numbers and names in what the model would see?"""
    lost: list[bool] = field(default_factory=list)
    """For each conversation that ended wrong with everything said: intervened at some turn?"""
    right: list[bool] = field(default_factory=list)
    """The same for all other conversations."""
    first: int = 0
    """Interventions at a first turn other than by `reask`."""
    turns: int = 0
    interventions: int = 0

    @property
    def auc(self) -> float:
        """Probability that a logged attempt is ranked above another answer (Mann-Whitney)."""
        return auc(self.attempts, self.others)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Area under the ROC curve; ties count half. NaN where one side is empty."""
    if not positive or not negative:
        return float("nan")
    ranked = sorted([(score, 1) for score in positive] + [(score, 0) for score in negative])
    wins, below, start = 0.0, 0, 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        above = sum(label for _, label in ranked[start:end])
        ties = end - start - above
        wins += above * (below + ties / 2)
        below, start = below + ties, end
    return wins / (len(positive) * len(negative))


async def examine(logs: Iterable[Logged], form: Form, engine: Engine) -> Found:
    """Read every conversation after each of its user turns, as a proxy would."""
    found = Found()
    for log in logs:
        whole = log.conversation(form, len(log.turns) + 1)
        whole = Conversation((*whole.turns, Turn(str(len(whole)), "assistant", log.turns[-1].assistant)))
        answers = {answer.turn.id: answer for task in read(whole) for answer in task.answers}
        for number, turn in enumerate(log.turns):
            if turn.kind != "missing":
                chance = answers[str(2 * number + 1)].attempt
                (found.attempts if turn.kind == "answer_attempt" else found.others).append(chance)
        intervened = False
        waiting: list[str] = []
        for number, turn in enumerate(log.turns):
            outcome = await engine.run(log.conversation(form, number + 1))
            if turn.reveals and waiting:
                flagged = observe(outcome.original)["premature"].evidence
                found.premature += [id in flagged for id in waiting]
                waiting = []
            if turn.kind == "answer_attempt":
                waiting.append(str(2 * number + 1))
            found.turns += 1
            found.interventions += outcome.changed
            found.first += number == 0 and outcome.decision.operator not in (None, "reask")
            intervened = intervened or outcome.changed
            found.kept += _kept(log.turns[: number + 1], outcome)
        (found.lost if log.lost else found.right).append(intervened)
    return found


def _kept(turns: Iterable[LoggedTurn], outcome: Outcome) -> Iterator[bool]:
    if not outcome.changed:
        return
    seen = "\n".join(turn.text for turn in outcome.conversation)
    tokens, figures = set(features(seen).tokens), features(seen).numbers
    for turn in turns:
        if turn.reveals:
            told = features(new_part(turn.user))
            yield told.numbers <= figures and told.names <= tokens | {*map(str.casefold, figures)}


def table(rows: Sequence[tuple[str, str, Found]]) -> str:
    """The figures as Markdown."""
    head: tuple[str, ...] = (
        "half",
        "form",
        "attempts, AUC",
        "premature flagged",
        "shards kept",
        "lost: intervened",
    )
    head = (*head, "others: intervened", "first turns", "turns intervened at")
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for part, form, found in rows:
        hits = (found.premature, found.kept, found.lost, found.right)
        cells = [part, form, f"{found.auc:.3f}", *map(share, hits), str(found.first)]
        lines.append("| " + " | ".join([*cells, f"{found.interventions} of {found.turns}"]) + " |")
    return "\n".join(lines)


def share(hits: Sequence[bool]) -> str:
    """`12 of 13 (92.3%)`."""
    return f"{sum(hits)} of {len(hits)} ({sum(hits) / max(1, len(hits)):.1%})"


async def report(path: Path, controller: str = "rules") -> str:
    """The table over a file, both halves and both forms."""
    engine = Engine(registry.unhurried(controller), registry.operators())
    logs = load(path)
    rows = [
        (part, form, await examine([log for log in logs if log.half == part], form, engine))
        for part in HALVES
        for form in FORMS
    ]
    return table(rows)


if __name__ == "__main__":
    print(asyncio.run(report(Path(sys.argv[1]))))
