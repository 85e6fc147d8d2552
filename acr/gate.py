"""Conversations in which nobody may intervene, whatever the controller thinks.

The gate looks at form only. It is checked before any signal is computed, so a closed gate costs nothing.
"""

from acr.conversation import INSTRUCTIONS, Conversation

OPENING = "single turn"
"""The one reason that does not hold for every operator: a first turn can be asked about."""


def closed(conversation: Conversation) -> str | None:
    """Why this conversation must be left alone, in a few words, or None if it may be refactored."""
    newest = conversation.newest
    if newest is None:
        return "no messages"
    if newest.answers or newest.role == "tool":
        return "open tool loop"
    if newest.role != "user":
        return "the newest message is not the user's"
    if newest.sealed:
        return "the newest message is sealed"
    if len(conversation.users) < 2:
        return OPENING
    return _invalid(conversation)


def _invalid(conversation: Conversation) -> str | None:
    """A history that is already broken is the client's affair: the upstream shall see it as it is."""
    pending: set[str] = set()
    for turn in conversation:
        if turn.role in INSTRUCTIONS:
            continue
        if turn.answers:
            if not pending.issuperset(turn.answers):
                return "a tool result without its call"
            pending.difference_update(turn.answers)
            continue
        if pending:
            return "a tool call without its result"
        pending = set(turn.calls)
    return "a tool call without its result" if pending else None
