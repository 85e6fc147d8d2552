"""What each user turn does in the dialogue, and each answer: from a conversation to its tasks.

Read by the signals and by the ledger, so that both see the same dialogue. One pass, left to right; a turn
is judged by what came before it, never by what comes after, so the reading of a prefix never changes.
A conversation comes back with every request, two turns longer. The reading of a beginning never changes by
what comes after, so a reader is kept where a conversation stopped and takes in the new turns only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate

from acr.conversation import Conversation, Turn
from acr.memo import Bounded
from acr.reading.features import features
from acr.reading.judge import answer, judge, sentences
from acr.reading.reference import Shown, bare
from acr.reading.task import Answer, Task, UserAct, UserTurn

__all__ = ["Answer", "Task", "UserAct", "UserTurn", "read", "sentences"]

Said = tuple[object, ...]
"""All of a turn that the reading, or who uses it, depends on."""


def read(conversation: Conversation) -> list[Task]:
    """The tasks of a conversation in order; the last one is open. Linear in its length.

    Remembered with the conversation: signals, ledger and operators share one reading.
    """
    remembered: dict[str, list[Task]] = vars(conversation)
    if "tasks" not in remembered:
        remembered["tasks"] = _read(conversation.turns)
    return remembered["tasks"]


def _read(turns: Sequence[Turn]) -> list[Task]:
    newest = turns[-1] if turns and turns[-1].role == "user" and not turns[-1].answers else None
    settled = turns[:-1] if newest else turns
    said = [_said(turn) for turn in settled]
    keys = _keys(said)
    reader = readers.take(said, keys)
    for turn, key in zip(settled[len(reader.said) :], said[len(reader.said) :], strict=True):
        reader.add(turn)
        reader.said.append(key)
        reader.characters += len(turn.text)
    tasks = reader.tasks_with(newest)
    readers.put(reader, keys)
    return tasks


def _said(turn: Turn) -> Said:
    flags = (turn.plain, turn.attached, turn.sealed)
    return turn.id, turn.role, turn.text, turn.calls, turn.answers, flags


@dataclass(slots=True)
class Reader:
    """Tasks so far and what has been said in them. Its last task grows; the others never change again."""

    tasks: list[Task] = field(default_factory=lambda: [Task()])
    shown: Shown = field(default_factory=Shown)
    said: list[Said] = field(default_factory=list)
    characters: int = 0

    def add(self, turn: Turn) -> None:
        """Take in one more turn."""
        task = self.tasks[-1]
        if turn.calls or turn.answers:
            task.tools = True
            self.shown.tool(turn)
        elif turn.role == "assistant":
            found = features(turn.text)
            task.add(answer(turn, found, task, self.shown))
            self.shown.assistant(turn, found)
        elif turn.role == "user":
            user, said = self._user(turn)
            if user.act == "opening" and task.users:
                self.tasks.append(task := Task())
            _admit(user, task)
            self.shown.user(features(turn.text), said)

    def tasks_with(self, newest: Turn | None) -> list[Task]:
        """The tasks with one more user turn, which is not taken in: it may be asked again in other words."""
        tasks = [*self.tasks[:-1], self.tasks[-1].copy()]
        if newest is not None:
            user, _ = self._user(newest)
            if user.act == "opening" and tasks[-1].users:
                tasks.append(Task())
            _admit(user, tasks[-1])
        return tasks

    def _user(self, turn: Turn) -> tuple[UserTurn, list[str]]:
        said = sentences(turn)
        fresh = [text for text in said if bare(text) not in self.shown.said]
        user = judge(turn, fresh or said, self.tasks[-1], self.shown)
        return replace(user, fresh="\n".join(fresh) or turn.text), said


def _admit(user: UserTurn, task: Task) -> None:
    task.accepted = user.act == "chat" and features(user.turn.text).does("accept")
    task.add(user)


class Readers:
    """Readers by what they have read. One that is taken is out of here until it is put back, so no two
    requests ever go on with the same. A hash finds it and the texts themselves decide.
    """

    def __init__(self, size: int = 256, characters: int = 16_000_000) -> None:
        self._held: Bounded[Reader] = Bounded(size, characters)
        """Weighed by the characters of text."""

    def take(self, said: list[Said], keys: Sequence[int]) -> Reader:
        """The reader that has read most of this beginning and nothing else, or a new one."""
        for count in range(len(said), 0, -1):
            if keys[count - 1] in self._held:
                reader = self._held.take(keys[count - 1], partial(_has_read, said[:count]))
                if reader is not None:
                    return reader
        return Reader()

    def put(self, reader: Reader, keys: Sequence[int]) -> None:
        """Keep a reader under the last key of what it has read. The oldest go."""
        if keys:
            self._held.put(keys[-1], reader, reader.characters)

    def clear(self) -> None:
        self._held.clear()


def _has_read(said: list[Said], reader: Reader) -> bool:
    return reader.said == said


def _keys(said: Sequence[Said]) -> list[int]:
    """For each turn a hash of it and all before it."""
    return list(accumulate(map(hash, said), lambda before, one: hash((before, one))))


readers = Readers()
"""Readers of the conversations seen last."""
