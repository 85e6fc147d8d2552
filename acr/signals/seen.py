"""What every family of signals reads: a conversation with its tasks."""

from dataclasses import dataclass
from functools import cached_property

from acr.conversation import Conversation
from acr.reading.dialogue import Answer, Task, UserTurn
from acr.reading.staleness import SPECIFYING
from acr.signals.core import Signal


@dataclass(frozen=True)
class Seen:
    """A conversation as read. `tasks` is never empty; the last one is open."""

    conversation: Conversation
    tasks: tuple[Task, ...]

    @property
    def task(self) -> Task:
        return self.tasks[-1]

    @cached_property
    def newest(self) -> UserTurn | None:
        return self.task.users[-1] if self.task.users else None

    @cached_property
    def attempts(self) -> list[Answer]:
        return self.task.attempts

    @cached_property
    def specifying(self) -> list[UserTurn]:
        """User turns of the open task that say more about what is wanted, after its opening."""
        return [user for user in self.task.users if user.act in SPECIFYING]

    @cached_property
    def before(self) -> list[UserTurn]:
        """User turns of the open task that its last answer could know."""
        if not self.task.answers:
            return []
        last = self.conversation.position[self.task.answers[-1].turn.id]
        return [user for user in self.task.users if self.conversation.position[user.turn.id] < last]


def counted(read: list[Answer] | list[UserTurn]) -> Signal:
    """How many, with all of them as evidence."""
    return Signal(len(read), tuple([each.turn.id for each in read]))
