"""All signals in one pass over the conversation."""

from acr.conversation import Conversation
from acr.signals.core import Signal, Signals


def observe(conversation: Conversation) -> Signals:
    """Every signal. Linear in the number of turns; work on a text seen before is remembered."""
    return Signals({"user_turns": Signal(len(conversation.users))})
