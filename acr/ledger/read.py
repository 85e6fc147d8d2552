"""From the verbatim turns to a ledger."""

from collections.abc import Sequence

from acr.conversation import Conversation
from acr.ledger.builder import Builder
from acr.ledger.core import Ledger
from acr.ledger.known import Known
from acr.reading.dialogue import Task, UserTurn
from acr.reading.dialogue import read as read_tasks


def read(conversation: Conversation) -> Ledger:
    """The ledger of a conversation. Linear in its length; a correction looks back a bounded way."""
    return of_tasks(read_tasks(conversation))


def of_tasks(tasks: Sequence[Task]) -> Ledger:
    """The same for a conversation whose tasks have been read already.

    A conversation comes back with every request, two turns longer. The ledger of a beginning never changes by
    what comes after, so it is remembered by content and only the new turns are read.
    """
    turns = [(number, turn) for number, task in enumerate(tasks) for turn in task.turns]
    said = [
        (number, turn.turn.id, turn.act if isinstance(turn, UserTurn) else "", turn.turn.text)
        for number, turn in turns
    ]
    builder, start = known.take(said)
    if start < len(turns) or builder.result is None:
        for number, turn in turns[start:]:
            if isinstance(turn, UserTurn):
                builder.user(turn, number)
            else:
                builder.answer(turn, number)
        builder.result = builder.ledger()
    known.put(said, builder)
    return builder.result


known = Known()
"""Ledgers of the conversations seen last."""

__all__ = ["of_tasks", "read"]
