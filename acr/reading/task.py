"""What a dialogue is read as: tasks, made of user turns and answers."""

from dataclasses import dataclass, field, replace
from typing import Literal

from acr.conversation import Turn
from acr.reading.attempt import ATTEMPT
from acr.reading.features import features

UserAct = Literal[
    "opening", "requirement", "correction", "restatement", "reference", "reply", "question", "chat"
]


@dataclass(frozen=True, slots=True)
class UserTurn:
    """A user turn as read."""

    turn: Turn
    act: UserAct
    informative: bool
    """Brings a number or a name that nobody has mentioned."""
    refers_to: tuple[str, ...] = ()
    """Assistant turns without which this turn may not be understood."""
    fresh: str = ""
    """Its sentences that the user had not said before; all of them where there is none."""
    alone: bool = False
    """Over an artefact: has nothing to do with what was said, or orders something else."""
    leans: bool = False
    """Says more about an artefact, and some of its words may be about the assistant's text. Safe to restate
    around that text, not safe to take it away."""
    edits: bool = False
    """Leans, and orders a step from what was there ("double it"), reports a fault of it, or takes back or
    replaces what an earlier turn asked for: done once it was answered. What stays true once it is done
    ("leave out zero") is none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An assistant turn as read."""

    turn: Turn
    attempt: float
    """Probability that it attempts an answer."""
    asks: bool
    repeats: float = 0.0
    """Share of its content that one of the attempts just before it already had: near 1 where it does the
    same work again, near 0 where it goes on from there. 0 where there is no attempt before."""
    figures: bool = False
    """Has figures that the user had not given: worked out, or made up."""
    result: bool = False
    """Is worked out or called, not drafted: nobody edits it, it is done again from what was given."""
    carries: bool = False
    """Uses what the user said in earlier turns of the task, not in the newest alone."""
    free: bool = False
    """There was no figure or name in earlier turns that it could have used."""
    builds: bool = False
    """Goes on from a figure that only the answer before it had, and carries nothing older."""
    refuses: bool = False
    """Says that something is missing, and does not ask for it: a conclusion like any other."""


@dataclass(slots=True)
class Task:
    """A stretch of dialogue about one thing, from its opening on."""

    turns: list[UserTurn | Answer] = field(default_factory=list)
    """In order; tool flow left out."""
    users: list[UserTurn] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    tools: bool = False
    accepted: bool = False
    """The user has just thanked or approved: what comes next is something else."""

    @property
    def attempts(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.attempt >= ATTEMPT]

    @property
    def conclusions(self) -> list[Answer]:
        """Attempts, and refusals that conclude that there is no answer."""
        return [answer for answer in self.answers if answer.attempt >= ATTEMPT or answer.refuses]

    content: set[str] = field(default_factory=set)
    """Topic words of its user turns, the newest left out."""
    numbers: set[str] = field(default_factory=set)
    """Figures of its user turns, the newest left out."""
    names: set[str] = field(default_factory=set)
    """Names in its user turns, the newest left out."""

    def copy(self) -> "Task":
        """One that can grow without this one."""
        return replace(
            self,
            turns=[*self.turns],
            users=[*self.users],
            answers=[*self.answers],
            content={*self.content},
            numbers={*self.numbers},
            names={*self.names},
        )

    def add(self, read: "UserTurn | Answer") -> None:
        if isinstance(read, UserTurn) and self.users:
            before = features(self.users[-1].fresh)
            self.content |= before.content
            self.numbers |= before.numbers
            self.names |= before.names
        self.turns.append(read)
        if isinstance(read, Answer):
            self.answers.append(read)
        else:
            self.users.append(read)
