"""What a ledger is."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal[
    "goal", "requirement", "prohibition", "preference", "correction", "question", "reply", "chat", "proposal"
]
"""What a sentence is for. `prohibition`: what must not be; `preference`: what holds from now on ("always");
`reply`: answers the assistant's question; `proposal`: the assistant's, in a `Decision` only."""

SPECIFYING: frozenset[Kind] = frozenset(
    {"goal", "requirement", "prohibition", "preference", "correction", "question"}
)
"""Kinds that say what is wanted."""

How = Literal["replaced", "restated", "withdrawn", "reinstated"]
"""`replaced`: a value set against another ("oat milk, not almond"); `restated`: the same slot said anew with
another value; `withdrawn`: taken back ("forget the parking"); `reinstated`: an earlier value came back in its
place."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A part of an item that no longer holds."""

    start: int
    end: int
    """Offsets into the item's text."""
    how: How
    turn: str
    """Where it was overruled, and by which sentence."""
    by: str


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence of the user, verbatim, with the turn it came from."""

    turn: str
    text: str
    kind: Kind
    task: int = 0
    """Which task of the conversation it belongs to, counted from 0."""
    replaced_by: str | None = None
    """Text of the later item whose words name what they replace here. Safe to show to a model."""
    gone: tuple[Gone, ...] = ()
    """Parts that no longer hold, in order, not overlapping. More than `replaced_by` knows, and less sure."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What still holds of it: verbatim parts of the text."""
        if not self.gone:
            return (self.text,)
        kept, start = [], 0
        for gone in self.gone:
            kept.append(self.text[start : gone.start].strip())
            start = gone.end
        kept.append(self.text[start:].strip())
        return tuple(part for part in kept if any(map(str.isalnum, part)))

    @property
    def holds(self) -> bool:
        """Whether anything of it still holds."""
        return bool(self.parts)


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that both sides settled: one proposed it, the other agreed."""

    proposal: Item
    """Verbatim, with what no longer holds of it: the user may come back on it."""
    proposed_by: Literal["user", "assistant"]
    settled_in: str
    """The turn of the agreement."""
    settled_by: str
    """Its words, verbatim."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of either side."""

    turn: str
    text: str
    asked_by: Literal["user", "assistant"]
    answered_in: str | None = None
    """The turn that answered it; None while it is open."""
    distance: int = 0
    """Turns of the dialogue between question and answer, tool flow left out; 1 is at once."""
    task: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that the assistant worked out and that later turns use."""

    turn: str
    text: str
    """The sentence or line that states it, verbatim."""
    figure: str
    used_in: tuple[str, ...] = ()
    task: int = 0


@dataclass(frozen=True, slots=True)
class Process:
    """How the dialogue goes, in counts: grounding and repair as "Dialogue is the Plan" (Inan, Alikhani and
    Sicilia, ACL 2026) asks for them. All of the open task but where said otherwise.
    """

    questions: int
    answered: int
    turns_to_answer: float
    """Mean distance of the answered ones; 0 where there is none."""
    commitments: int
    """Sentences of the user that say what is wanted and still hold."""
    grounded: int
    """Those of them that the assistant took up: it confirmed their turn, or used their figures and names."""
    repairs: int
    """Sentences that overruled something."""
    repaired: int
    """Those of them that the assistant took up."""
    decisions: int

    @property
    def share_answered(self) -> float:
        return self.answered / self.questions if self.questions else 1.0

    @property
    def open_commitments(self) -> int:
        return self.commitments - self.grounded


@dataclass(frozen=True)
class Ledger:
    """Items in the order they were said. Every sentence of every user turn is in it once."""

    items: tuple[Item, ...] = ()
    decisions: tuple[Decision, ...] = ()
    questions: tuple[Question, ...] = ()
    figures: tuple[Figure, ...] = ()
    grounded: frozenset[str] = frozenset()
    """User turns that the assistant took up."""

    @property
    def task(self) -> int:
        """The open task."""
        return self.items[-1].task if self.items else 0

    @property
    def goal(self) -> Item | None:
        """What the user wants of the open task."""
        return next((item for item in self._open if item.kind == "goal"), None)

    @property
    def specification(self) -> tuple[Item, ...]:
        """All that was said about what is wanted of the open task; `Item.parts` tells what still holds."""
        return tuple(item for item in self._open if item.kind in SPECIFYING)

    @property
    def current(self) -> tuple[Item, ...]:
        """What still holds of all that was said in the open task, replies to questions included."""
        return tuple(item for item in self._open if item.kind != "chat" and item.holds)

    @property
    def superseded(self) -> tuple[Item, ...]:
        """Items of the open task of which something no longer holds."""
        return tuple(item for item in self._open if item.gone)

    @property
    def standing(self) -> tuple[Item, ...]:
        """Prohibitions and preferences that hold, of every task: they are not over with the task."""
        kinds = ("prohibition", "preference")
        return tuple(item for item in self.items if item.kind in kinds and item.holds)

    @property
    def settled(self) -> tuple[Decision, ...]:
        """Decisions of the open task that hold."""
        return tuple(d for d in self.decisions if d.proposal.task == self.task and d.proposal.holds)

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Questions of the open task that nobody has answered yet."""
        return tuple(q for q in self.questions if q.task == self.task and q.answered_in is None)

    @cached_property
    def process(self) -> Process:
        """Counts over the open task."""
        asked = [question for question in self.questions if question.task == self.task]
        answered = [question for question in asked if question.answered_in is not None]
        wanted = [item for item in self.current if item.kind != "question"]
        repairs = {gone.turn for item in self._open for gone in item.gone}
        return Process(
            questions=len(asked),
            answered=len(answered),
            turns_to_answer=sum(q.distance for q in answered) / len(answered) if answered else 0.0,
            commitments=len(wanted),
            grounded=sum(item.turn in self.grounded for item in wanted),
            repairs=len(repairs),
            repaired=len(repairs & self.grounded),
            decisions=sum(decision.proposal.task == self.task for decision in self.decisions),
        )

    def replacement(self, turn: str, sentence: str) -> str | None:
        """The sentence that overrules this sentence of that turn, if one does."""
        return self._replaced.get((turn, sentence))

    @cached_property
    def _replaced(self) -> dict[tuple[str, str], str]:
        return {
            (item.turn, item.text): item.replaced_by for item in self.items if item.replaced_by is not None
        }

    @cached_property
    def _open(self) -> tuple[Item, ...]:
        """Items of the open task: it is the last one, so they stand together at the end."""
        first = len(self.items)
        while first and self.items[first - 1].task == self.task:
            first -= 1
        return self.items[first:]
