"""From the verbatim turns to a ledger."""

from collections.abc import Sequence

from acr.conversation import Conversation
from acr.ledger.builder import Builder
from acr.ledger.core import Ledger
from acr.ledger.known import Known
from acr.reading.dialogue import Answer, Task, UserTurn
from acr.reading.dialogue import read as read_tasks


def read(conversation: Conversation) -> Ledger:
    """The ledger of a conversation. Linear in its length; a correction looks back a bounded way."""
    return of_tasks(read_tasks(conversation))


def of_tasks(tasks: Sequence[Task]) -> Ledger:
    """The same for a conversation whose tasks have been read already.

    A conversation comes back with every request, two turns longer. The ledger of a beginning never changes by
    what comes after, so it is remembered by content and only the new turns are read. The newest user turn is
    read by a copy: it may be asked again in other words, and what was read before it shall serve then too.
    """
    said = [turn.turn.text for task in tasks for turn in task.turns]
    keys = _keys(tasks)
    ledger = known.ledger(said, keys)
    if ledger is None:
        builder, start = known.take(said, keys)
        turns = [(number, turn) for number, task in enumerate(tasks) for turn in task.turns]
        settled = len(turns) - bool(turns and isinstance(turns[-1][1], UserTurn))
        _take_in(builder, turns[start:settled])
        if settled < len(turns):
            newest = builder.copy()
            known.put(said[:settled], keys[:settled], builder)
            _take_in(newest, turns[settled:])
            known.put(said, keys, None, ledger := newest.ledger())
        else:
            known.put(said, keys, builder, ledger := builder.ledger())
    return ledger


def _take_in(builder: Builder, turns: Sequence[tuple[int, UserTurn | Answer]]) -> None:
    for number, turn in turns:
        if isinstance(turn, UserTurn):
            builder.user(turn, number)
        else:
            builder.answer(turn, number)


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
