"""What a conversation is: an immutable sequence of turns that remember the client's own objects.

A dialect (`acr.dialects`) reads these from a request and writes them back. A turn that nobody
edits is written back as the very object the client sent, so unknown fields survive by construction.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

Role = Literal["system", "developer", "user", "assistant", "tool"]
"""Roles in ACR's terms. Dialects map theirs: OpenAI's old `function` role is `tool`."""

INSTRUCTIONS: frozenset[str] = frozenset({"system", "developer"})

State = Literal["kept", "rewritten", "inserted"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation.

    `wire` is the client's own JSON object. It must not be mutated: dialects copy before they patch.
    """

    id: str
    """Unique in its conversation; by convention the position in the client's list, `"0"`, `"1"`, …"""
    role: Role
    text: str
    """All text the model reads from this turn, parts joined by newlines."""
    wire: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    calls: tuple[str, ...] = ()
    """Ids of the tool calls this turn makes."""
    answers: tuple[str, ...] = ()
    """Ids of the tool calls this turn gives results for."""
    plain: bool = True
    """Text is all there is: no image, audio, signature, name, cache mark. Only such turns are merged."""
    attached: bool = False
    """Holds parts that are not text (image, audio, file). A user turn with such parts is never dropped."""
    result: bool = False
    """The result of one tool call, a text and nothing else: parts of it may be left out, and marked so."""
    sealed: bool = False
    """Nothing before or at this turn may change: compaction blocks, signed thinking, cache breakpoints."""
    state: State = "kept"
    lead: str = ""
    """Text put in front of the client's own; set when the original stands whole at the end."""

    def prefixed(self, lead: str) -> "Turn":
        """This turn with `lead` in front of its text, everything else kept."""
        return replace(self, text=lead + self.text, lead=lead + self.lead, state="rewritten")

    def with_text(self, text: str) -> "Turn":
        """This turn with `text` instead of its own; a common ending is recognised as a prefix edit."""
        if text.endswith(self.text):
            return self.prefixed(text[: len(text) - len(self.text)])
        return replace(self, text=text, lead="", state="rewritten")


@dataclass(frozen=True)
class Conversation:
    """Turns in order. Equality is by turns; cached views are computed once."""

    turns: tuple[Turn, ...]

    def __iter__(self) -> Iterator[Turn]:
        return iter(self.turns)

    def __len__(self) -> int:
        return len(self.turns)

    @cached_property
    def position(self) -> dict[str, int]:
        """Index of each turn by id."""
        return {turn.id: index for index, turn in enumerate(self.turns)}

    def turn(self, id: str) -> Turn:
        """The turn of that id. Raises KeyError if there is none."""
        return self.turns[self.position[id]]

    @property
    def newest(self) -> Turn | None:
        return self.turns[-1] if self.turns else None

    @cached_property
    def dialogue(self) -> tuple[Turn, ...]:
        """All but system and developer turns."""
        return tuple(turn for turn in self.turns if turn.role not in INSTRUCTIONS)

    @cached_property
    def users(self) -> tuple[Turn, ...]:
        return tuple(turn for turn in self.turns if turn.role == "user" and not turn.answers)

    @cached_property
    def assistants(self) -> tuple[Turn, ...]:
        return tuple(turn for turn in self.turns if turn.role == "assistant")

    @cached_property
    def sealed(self) -> int:
        """How many leading turns may not change: all up to the last sealed one."""
        return max((index + 1 for index, turn in enumerate(self.turns) if turn.sealed), default=0)
