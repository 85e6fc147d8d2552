"""What each user turn does in the dialogue: state, add, correct, refer, reply, thank, ask anew.

Read by the signals and by the ledger, so that both see the same dialogue. One pass, left to right; a turn
is judged by what came before it, never by what comes after, so the reading of a prefix never changes.
"""

from dataclasses import dataclass, field
from typing import Literal

from acr import text as t
from acr.conversation import Conversation, Turn
from acr.reading.attempt import ATTEMPT, attempt
from acr.reading.features import Features, features
from acr.reading.reference import Shown, reference

UserAct = Literal[
    "opening", "requirement", "correction", "restatement", "reference", "reply", "question", "chat"
]

_CHAT = 6
"""Tokens: a turn of thanks longer than this says something else too."""
_REPLY = 4
"""Tokens: an answer to a question that cannot stand without it is about this short."""
_SAME = 0.6
"""Share of a turn's topic words that the opening already had, from which it only restates it."""


@dataclass(frozen=True, slots=True)
class UserTurn:
    """A user turn as read."""

    turn: Turn
    act: UserAct
    informative: bool
    """Brings a number or a name that nobody has mentioned."""
    refers_to: tuple[str, ...] = ()
    """Assistant turns without which this turn may not be understood."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An assistant turn as read."""

    turn: Turn
    attempt: float
    """Probability that it attempts an answer."""
    asks: bool
    repeats: float = 0.0
    """Share of its content that the attempt before it already had: near 1 where it does the same work
    again, near 0 where it goes on from there. 0 where there is no attempt before."""
    figures: bool = False
    """Has figures that the user had not given: worked out, or made up."""


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
    def builds(self) -> bool:
        """Whether the answers build on each other, as chapters of a story do, so that none is stale.

        Answers to a specification that comes in pieces do the same work again: on logged conversations 95%
        of successive attempts share at least 0.48 of their content, unrelated ones 0.0 to 0.2.
        """
        attempts = [answer for answer in self.attempts if len(answer.turn.text) >= _SUBSTANTIAL]
        return len(attempts) > 1 and attempts[-1].repeats < REPEATS

    def add(self, read: "UserTurn | Answer") -> None:
        self.turns.append(read)
        if isinstance(read, Answer):
            self.answers.append(read)
        else:
            self.users.append(read)


REPEATS = 0.3
"""Share of content from which an attempt does the work of the one before it again."""
_SUBSTANTIAL = 80
"""Characters: a shorter answer is no chapter of anything."""


def read(conversation: Conversation) -> list[Task]:
    """The tasks of a conversation in order; the last one is open. Linear in its length."""
    tasks = [Task()]
    shown = Shown()
    for turn in conversation:
        task = tasks[-1]
        if turn.calls or turn.answers:
            task.tools = True
            shown.tool(turn)
        elif turn.role == "assistant":
            found = features(turn.text)
            task.add(_answer(turn, found, task, shown))
            shown.assistant(turn, found)
        elif turn.role == "user":
            found = features(turn.text)
            user = _judge(turn, found, task, shown)
            if user.act == "opening" and task.users:
                tasks.append(task := Task())
            task.accepted = user.act == "chat" and found.does("accept")
            task.add(user)
            shown.user(found)
    return tasks


def _answer(turn: Turn, found: Features, task: Task, shown: Shown) -> Answer:
    chance = attempt(turn.text, shown.user_numbers)
    before = next((answer for answer in reversed(task.answers) if answer.attempt >= ATTEMPT), None)
    repeats = _overlap(features(before.turn.text), found) if before else 0.0
    return Answer(turn, chance, _asks(found), repeats, bool(found.numbers - shown.user_numbers))


def _overlap(before: Features, after: Features) -> float:
    """Containment of the smaller content in the larger one, figures included."""
    old, new = before.content | before.numbers, after.content | after.numbers
    return len(old & new) / max(1, min(len(old), len(new)))


def _judge(turn: Turn, found: Features, task: Task, shown: Shown) -> UserTurn:
    opening = task.users[0] if task.users else None
    informative = bool(found.numbers - shown.numbers or found.names - shown.tokens)
    if opening is None:
        return UserTurn(turn, "opening", informative)
    last = task.answers[-1] if task.answers else None
    if not found.tokens:
        return UserTurn(turn, "chat", False)
    if found.does("new_topic") and (found.asks or _unrelated(found, shown)):
        return UserTurn(turn, "opening", informative)
    short = len(found.tokens) <= _REPLY and found.length <= 40
    if last and last.asks and short:
        return UserTurn(turn, "reply", informative, (last.turn.id,))
    if found.does("accept") and len(found.tokens) <= _CHAT and not found.asks:
        return UserTurn(turn, "chat", False)
    refers_to = reference(found, turn.text, shown)
    if refers_to:
        return UserTurn(turn, "reference", informative, refers_to)
    if _restates(found, task):
        return UserTurn(turn, "restatement", informative)
    if task.accepted:
        return UserTurn(turn, "correction" if found.does("correction") else "opening", informative)
    if found.asks:
        return UserTurn(turn, "question", informative)
    if short and not informative:
        return UserTurn(turn, "requirement", False, _before(last))
    if found.does("correction"):
        return UserTurn(turn, "correction", informative)
    return UserTurn(turn, "requirement", informative)


def _before(last: Answer | None) -> tuple[str, ...]:
    return (last.turn.id,) if last else ()


def _asks(found: Features) -> bool:
    return found.asks or (found.does("more_needed") and found.questions > 0)


def _restates(found: Features, task: Task) -> bool:
    """Says again what the task's own user turns said: the goal repeated, a recap written by the user."""
    said = features(task.users[0].turn.text).content
    if not found.content or not said:
        return False
    return len(found.content & said) / len(found.content) >= _SAME


def _unrelated(found: Features, shown: Shown) -> bool:
    return bool(found.content) and not found.content & shown.content


def sentences(turn: Turn) -> list[str]:
    """The user's sentences, bullets and leading dashes cut off."""
    return [s for s in (part.lstrip("-*• ").strip() for part in t.sentences(turn.text)) if s]
