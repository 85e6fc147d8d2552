"""From the user's verbatim turns to a ledger."""

from collections.abc import Sequence
from dataclasses import replace

from acr.conversation import Conversation
from acr.ledger.core import Item, Kind, Ledger
from acr.ledger.supersede import WINDOW, replaced
from acr.reading.dialogue import Task, UserAct, sentences
from acr.reading.dialogue import read as read_tasks
from acr.text import fold

_KINDS: dict[UserAct, Kind] = {
    "opening": "goal",
    "requirement": "requirement",
    "correction": "correction",
    "restatement": "requirement",
    "reference": "question",
    "question": "question",
    "reply": "reply",
    "chat": "chat",
}


def read(conversation: Conversation) -> Ledger:
    """The ledger of a conversation. Linear in its length; a correction looks back a bounded way."""
    return of_tasks(read_tasks(conversation))


def of_tasks(tasks: Sequence[Task]) -> Ledger:
    """The same for a conversation whose tasks have been read already."""
    items: list[Item] = []
    for number, task in enumerate(tasks):
        start = len(items)
        said: set[str] = set()
        for user in task.users:
            for text in sentences(user.turn):
                key = fold(text).strip(" .!?")
                if key in said:
                    continue
                said.add(key)
                new = Item(user.turn.id, text, _KINDS[user.act], number)
                first = max(start, len(items) - WINDOW)
                for index in replaced(items[first:], new):
                    items[first + index] = replace(items[first + index], replaced_by=text)
                items.append(new)
    return Ledger(tuple(items))
