"""Which request follows which in a conversation, told without a session and without a word of it.

Clients send the whole history each time. So a digest of all up to the newest user turn names the moment, and
the digest of all up to the user turn before names the request that this one follows. The key of the digests
is drawn anew in each process: nobody can try out what was said.
"""

import os
from array import array
from collections.abc import Sequence
from hashlib import blake2b

from acr.conversation import Conversation

_KEY = os.urandom(16)


def moments(conversation: Conversation) -> tuple[str | None, str | None]:
    """The newest moment and the one before it, 16 hex digits each; None where there is none.

    Of each turn goes in what Python hashes texts to, which is known of a text that came before.
    """
    users = [number for number, turn in enumerate(conversation.turns) if turn.role == "user"]
    if not users:
        return None, None
    said = [hash((turn.role, turn.text)) for turn in conversation.turns[: users[-1] + 1]]
    return _digest(said), _digest(said[: users[-2] + 1]) if len(users) > 1 else None


def _digest(said: Sequence[int]) -> str:
    return blake2b(array("q", said), digest_size=8, key=_KEY).hexdigest()
