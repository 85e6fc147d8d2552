"""From the verbatim turns to a ledger."""

from collections.abc import Sequence

from acr.conversation import Conversation
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
    said = [turn.turn.text for task in tasks for turn in task.turns]
    keys = _keys(tasks)
    ledger = known.ledger(said, keys)
    if ledger is None:
        builder, start = known.take(said, keys)
        turns = [(number, turn) for number, task in enumerate(tasks) for turn in task.turns]
        for number, turn in turns[start:]:
            if isinstance(turn, UserTurn):
                builder.user(turn, number)
            else:
                builder.answer(turn, number)
        ledger = builder.ledger()
        known.put(said, keys, builder, ledger)
    return ledger


def _keys(tasks: Sequence[Task]) -> list[int]:
    """For each turn a hash of it and all before it: of everything that a ledger depends on."""
    keys: list[int] = []
    last = 0
    for number, task in enumerate(tasks):
        for turn in task.turns:
            act = turn.act if isinstance(turn, UserTurn) else ""
            last = hash((last, number, turn.turn.id, act, turn.turn.text))
            keys.append(last)
    return keys


known = Known()
"""Ledgers of the conversations seen last."""

__all__ = ["of_tasks", "read"]
