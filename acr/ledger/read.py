"""From the user's verbatim turns to a ledger."""

from dataclasses import replace

from acr.conversation import Conversation
from acr.ledger.core import Item, Kind, Ledger
from acr.ledger.supersede import replaced
from acr.reading.dialogue import UserAct, sentences
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
    """The ledger of a conversation. Linear in its length, but for corrections, which look back."""
    items: list[Item] = []
    for number, task in enumerate(read_tasks(conversation)):
        start = len(items)
        said: set[str] = set()
        for user in task.users:
            for text in sentences(user.turn):
                key = fold(text).strip(" .!?")
                if key in said:
                    continue
                said.add(key)
                new = Item(user.turn.id, text, _KINDS[user.act], number)
                for index in replaced(items[start:], new):
                    items[start + index] = replace(items[start + index], replaced_by=text)
                items.append(new)
    return Ledger(tuple(items))
