"""The record of one episode: one JSON line with the whole trace, versioned. All figures come from these."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION: Literal[1] = 1

Key = tuple[str, str, str, int]
"""Task, item, setting, run: what makes an episode that episode."""


class TurnRecord(BaseModel):
    """One exchange. Token counts are the server's own; None where it gave none."""

    model_config = ConfigDict(extra="forbid")

    user: str
    shard: int | None = None
    """Id of the piece revealed in this turn; None where the turn says all at once."""
    user_note: str | None = None
    """Who spoke for the user `model`: "model", or "paraphrase: …" with the reason why it could not."""
    assistant: str = ""
    finish_reason: str | None = None
    answer: str | None = None
    explicit: bool = False
    """Whether the response presented the answer as one."""
    score: float | None = None
    """Score of this turn's answer; None where there is none, or where only the last one is scored."""
    response: str | None = None
    """Which of the protocol's seven types the response is (`acr_benchmarks.responses`)."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    seconds: float = 0.0
    seed: int = 0
    acr: dict[str, str] = Field(default_factory=dict)
    """The `x-acr-*` response headers, without the prefix."""
    view: list[dict[str, Any]] | None = None
    """The messages as the model saw them, where ACR changed them."""
    signals: dict[str, float] = Field(default_factory=dict)
    """What ACR saw in the conversation, where it changed it."""
    error: str | None = None
    """"context": the conversation no longer fits the model's context. The conversation ends there."""

    @property
    def intervened(self) -> bool:
        return self.acr.get("decision") == "intervened"


class Episode(BaseModel):
    """One conversation about one item in one setting."""

    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = VERSION
    task: str
    item: str
    setting: str
    run: int
    seed: int
    user: str
    system: str
    order: list[int]
    """Shard ids as revealed."""
    turns: list[TurnRecord]
    score: float
    """Of the last answer given in the conversation, 0 where none was given: the stricter score."""
    first_correct: int | None = None
    """Index of the first turn whose answer is right."""
    protocol_score: float
    """The score of the original protocol, which ends a conversation at its first right answer: 1 if any
    answer was right, else `score`. The conversation itself is always carried on to its end."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    model: str = ""
    fingerprint: str = ""
    temperature: float = 0.0
    max_tokens: int = 0
    acr_version: str = ""
    started: str = ""
    extra: dict[str, Any] = Field(default_factory=dict)

    @property
    def key(self) -> Key:
        return (self.task, self.item, self.setting, self.run)


def scores(turns: list[TurnRecord]) -> tuple[float, int | None, float]:
    """Last-answer score, index of the first right turn, protocol score."""
    given = [(index, turn.score) for index, turn in enumerate(turns) if turn.score is not None]
    if not given:
        return 0.0, None, 0.0
    last = given[-1][1]
    first = next((index for index, score in given if score >= 1.0), None)
    return last, first, 1.0 if first is not None else last


def total(counts: list[int | None]) -> int | None:
    """The sum, or None where a count is missing: a part of a bill is not a bill."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
