from acr.conversation import Conversation
from acr.ledger.core import Item, Ledger


def read(conversation: Conversation) -> Ledger:
    """The ledger of a conversation."""
    return Ledger(tuple(Item(turn.id, turn.text, "requirement") for turn in conversation.users))
