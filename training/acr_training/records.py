"""What the steps of training hand to each other: states, outcomes, examples. One JSON line each, versioned.

    states.jsonl     State     where a controller has to decide: a conversation up to its newest user turn
    outcomes.jsonl   Outcome   what came of each operator, and of none, at a state (`acr_training.table`)
    examples.jsonl   Example   what should have been decided there, and by how much

A state belongs to a group (one benchmark item, one conversation of a user). Splits are made by group, so no
two states of one conversation ever stand on both sides of a split.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION: Literal[1] = 1

Split = Literal["train", "dev", "test"]
Source = Literal["benchmark", "traces", "dialogues"]
Kind = Literal["corrective", "compressive", "none"]

NONE = "none"
"""The label of a state at which nothing should be done."""

SALT = "acr-training-1"
SHARES: tuple[tuple[Split, float], ...] = (("train", 0.6), ("dev", 0.8), ("test", 1.0))
"""Upper ends of the splits on [0, 1)."""


class State(BaseModel):
    """A conversation at the moment a controller decides."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = VERSION
    id: str
    """Hash of everything that the outcomes depend on; see `state`."""
    task: str
    """Benchmark task that scores answers; "" where there is none and a judge compares them."""
    item: str
    group: str
    split: Split
    messages: list[dict[str, Any]]
    """OpenAI chat messages, system included, the newest one by the user."""
    rest: list[str] = Field(default_factory=list)
    """What the user is going to say after this turn, where that is known (benchmark items)."""
    language: str = ""
    source: Source = "benchmark"
    policy: str = "never"
    """Controller that was in charge when the conversation got here."""
    turn: int
    """Number of the newest user turn, from 1."""
    turns: int | None = None
    """User turns of the whole conversation, where known."""
    signals: dict[str, float] = Field(default_factory=dict)
    """What acr saw here when the state was recorded. Training reads features from `messages` anew."""


class Outcome(BaseModel):
    """What came of one operator at one state.

    `score` is that of the conversation's end: after the answer at this state the remaining user turns
    come as scripted and raw (no controller), and the last answer is scored. Where `rest` is empty that
    is the answer itself. It costs 1 + len(rest) calls for each different view.
    Where no task scores, `score` is relative to no operator: 0.5 as good, 1 better, 0 worse.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = VERSION
    state: str
    operator: str | None
    """None: the conversation as it is."""
    view: str
    """Hash of the messages that the model saw. Rows with one view share one run of the model."""
    changed: bool
    """Whether the operator changed anything; if not, `view` is that of no operator."""
    score: float
    prompt_tokens: int
    """Of the answer at this state and of all that follow it, as the server counted."""
    completion_tokens: int
    answer: str
    """The answer at this state."""
    last: str
    """The answer that was scored; equal to `answer` at the end of a conversation."""
    run: int = 0
    seed: int = 0
    seconds: float = 0.0
    model: str = ""
    scorer: str = ""
    """`task`, or the judge model's name."""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    @property
    def key(self) -> tuple[str, str | None, int]:
        return (self.state, self.operator, self.run)


class Pair(BaseModel):
    """One operator (or "none") that came out better than another at the same state."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    better: str
    worse: str
    margin: float
    """Difference of rewards, above 0."""


class Example(BaseModel):
    """What should be decided at a state, by its outcomes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = VERSION
    state: str
    label: str
    """Name of an operator, or "none"."""
    kind: Kind
    """corrective: the answer gets better. compressive: as good, with fewer tokens. none: neither."""
    gain: float
    """Reward of the label minus reward of none, at least 0."""
    rewards: dict[str, float]
    """By operator and "none": score − λ·tokens/1000, the mean over runs."""
    unchanged: list[str] = Field(default_factory=list)
    """Operators that did nothing here: their rewards are those of none, and no pair names them."""
    pairs: list[Pair] = Field(default_factory=list)
    rationale: str = ""
    """The teacher's, where one was asked."""
    teacher: str | None = None
    """What the teacher proposed: an operator or "none"."""


def split(group: str) -> Split:
    """The split of a group, by a salted hash: the same on every machine, for ever."""
    place = int.from_bytes(hashlib.sha256(f"{SALT}/{group}".encode()).digest()[:8], "big") / 2**64
    return next(name for name, end in SHARES if place < end)


def digest(value: Any) -> str:
    """A short hash of plain data; 16 hex digits, 64 bits."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def state(
    *,
    task: str,
    item: str,
    messages: Sequence[Mapping[str, Any]],
    group: str = "",
    rest: Sequence[str] = (),
    **more: Any,
) -> State:
    """A state with its id, group and split worked out. `more` are other fields of `State`.

    `turn` defaults to the number of user messages.
    """
    group = group or f"{task}/{item}"
    plain = [dict(message) for message in messages]
    more.setdefault("turn", sum(message.get("role") == "user" for message in plain))
    return State(
        id=digest([task, item, plain, list(rest)]),
        task=task,
        item=item,
        group=group,
        split=split(group),
        messages=plain,
        rest=list(rest),
        **more,
    )
