"""The three protocols that extensions implement, and what passes between them.

No base classes: anything with these attributes will do. Built-ins and strangers' packages enter by the
same door, the entry points `acr.operators` and `acr.controllers` (see `acr.registry`).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from acr.conversation import Conversation
from acr.edits import Edit
from acr.ledger import Ledger
from acr.reading.dialogue import Task
from acr.signals import Signals
from acr.viewstore import Views

Kind = Literal["corrective", "compressive"]

Complete = Callable[[Sequence[Mapping[str, str]]], Awaitable[str]]
"""An auxiliary model: messages in, text out. Raises on failure; the engine's deadline bounds it."""

SEQUENCE = "+"
"""Between operators that are applied one after the other: `prune+recap`."""


def names(operator: str) -> list[str]:
    """The operators that a name stands for: `prune+recap` is two, applied in that order."""
    return operator.split(SEQUENCE)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a controller wants done at this turn. No operator is the ordinary case, and has a reason too."""

    operator: str | None
    reason: str
    """Plain words, one line, no text of the conversation in it: it goes into a response header."""
    confidence: float = 1.0
    """Probability in [0, 1] that this is right, or as good as anything, as far as the controller can tell."""
    controller: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operator may propose instead of edits: a question to the client, asked without the model."""

    text: str


@dataclass(frozen=True, slots=True)
class Flawed:
    """What a model-backed operator proposes when its model's draft does not hold up.

    The operator gets it back in `Context.flawed`, once, to have it repaired; then the engine gives up.
    """

    draft: str
    problems: tuple[str, ...]
    """What is wrong with the draft, one sentence each, fit for the model that wrote it."""


Proposal = Sequence[Edit] | Answer | Flawed


@dataclass(frozen=True, slots=True)
class Context:
    """What an operator may use besides the conversation itself."""

    signals: Signals
    ledger: Ledger
    tasks: Sequence[Task]
    """The conversation as read, task by task; the last one is open."""
    language: str
    """ISO 639-1 code of the user's language, or "" where it could not be told."""
    complete: Complete | None = None
    """The auxiliary model, if one is configured. Deterministic operators ignore it."""
    questions: int = 0
    """How many questions the client may still be asked directly. Above 0, an `Answer` may be proposed."""
    flawed: Flawed | None = None
    """This operator's own first draft, where it is asked to repair it."""
    views: Views | None = None
    """Where to remember what took a model to make of the beginning of a conversation."""


@runtime_checkable
class Operator(Protocol):
    """A way to refactor a context. Usually a frozen dataclass whose fields are its configuration.

    Two attributes are optional. `model_backed = True`: it needs `Context.complete`, gets more time, and may
    repair its draft once. `opens = True`: it has something to offer at the first user turn too.
    """

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> Kind: ...

    async def propose(self, conversation: Conversation, context: Context) -> Proposal:
        """Edits that would help, or none. Must not mutate anything. May raise: the engine fails open."""
        ...


@runtime_checkable
class Controller(Protocol):
    """Decides, at each turn, whether to intervene and how.

    Optional: `opens = True` if it wants to be asked at the first user turn, where only an operator that
    `opens` may act. Others are not asked there, so single-turn requests cost nothing. `recalls = True` if it
    decides on what is remembered of earlier answers (the signals `entropy`, `entropy_rise`).
    """

    @property
    def name(self) -> str: ...

    def decide(self, conversation: Conversation, signals: Signals) -> Decision: ...
