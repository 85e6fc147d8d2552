"""The record of one turn: the proxy writes it, training consumes it, benchmarks score it.

One schema, versioned. Message text is in it only where the writer was told to keep text.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION: Literal[1] = 1


@dataclass(slots=True)
class Usage:
    """Tokens as the upstream reported them; None where it did not."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(slots=True)
class Choice:
    """One answer of the upstream as the monitor read it."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    index: int = 0
    text: str | None = None
    reasoning: str | None = None
    finish: str | None = None
    tool_calls: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Answer:
    """What the upstream sent back. `complete` is False for a stream that broke off or never said it ended."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    status: int | None = None
    complete: bool = False
    choices: list[Choice] = field(default_factory=list)
    usage: Usage | None = None
    entropy: float | None = None
    """Mean entropy in nats over the reported top log-probabilities, where the upstream gave any."""
    digest: Annotated[str | None, Field(exclude=True)] = None
    """Stands for the text whose entropy it is (`acr.text.digest`). Not written out."""
    error: str | None = None
    """Kind of failure, such as "upstream disconnected"; never an exception's text."""


class Trace(BaseModel):
    """One request through ACR."""

    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = VERSION
    id: str
    """The request's `x-request-id`."""
    time: datetime = Field(default_factory=lambda: datetime.now(UTC))
    dialect: str = ""
    model: str = ""
    stream: bool = False
    turns: int = 0
    moment: str | None = None
    """Stands for all that was said up to the newest user turn, within one process; tells no word of it."""
    follows: str | None = None
    """The `moment` of the user turn before: what links the requests of a conversation."""
    mode: Literal["off", "observe", "auto"] = "auto"
    controller: str = ""
    operator: str | None = None
    """The operator that was decided on; see `applied`."""
    applied: bool = False
    """Whether the model saw the refactored context."""
    answered: bool = False
    """Whether ACR answered with a question of its own, and no model was asked."""
    decision: str = ""
    """What became of it, as in the header `x-acr-decision`."""
    reason: str = ""
    confidence: float | None = None
    signals: dict[str, float] = Field(default_factory=dict)
    edits: list[dict[str, str]] = Field(default_factory=list)
    """Kind and turn of each edit; their text only where text is kept."""
    failure: str | None = None
    """Class of the `AcrError` that made ACR leave the request untouched."""
    auxiliary: Usage | None = None
    """What the auxiliary model took for this request, all its calls that came back together."""
    views: list[str] = Field(default_factory=list)
    """What came of each look for a view (`acr.viewstore`): `hit`, `miss`, and after a colon what kept the
    store away, as in `hit here: TimeoutError`."""
    tokens_before: int | None = None
    tokens_after: int | None = None
    overhead_ms: float = 0.0
    """Time ACR spent before the request went upstream, in milliseconds."""
    first_byte_ms: float | None = None
    total_ms: float | None = None
    answer: Answer | None = None
    messages: list[dict[str, Any]] | None = None
    """The client's messages; only where text is kept."""
    ledger: dict[str, Any] | None = None
    """The state of the dialogue (`acr.ledger.view`); only where text is kept, and for requests over 64 KiB
    only where an operator was asked."""
    view: list[dict[str, Any]] | None = None
    """The messages as the model saw them; only where text is kept and something was applied."""


TEXT: dict[str, Any] = {
    "messages": True,
    "ledger": True,
    "view": True,
    "edits": {"__all__": {"text"}},
    "answer": {"choices"},
}
"""Where a trace holds text."""
