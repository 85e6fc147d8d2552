"""Which request follows which in a conversation, told without a session and without a word of it.

Clients send the whole history each time. So a digest of all up to the newest user turn names the moment, and
the digest of all up to the user turn before names the request that this one follows. The key of the digests
is drawn anew in each process: nobody can try out what was said.
"""

import hashlib
import os
from collections.abc import Iterable

from acr.conversation import Conversation, Turn

_KEY = os.urandom(16)


def moments(conversation: Conversation) -> tuple[str | None, str | None]:
    """The newest moment and the one before it, 16 hex digits each; None where there is none.

    Time is linear in the text, about 1 ms a MB.
    """
    users = [number for number, turn in enumerate(conversation.turns) if turn.role == "user"]
    if not users:
        return None, None
    before = users[-2] if len(users) > 1 else None
    digest, follows, start = hashlib.blake2b(digest_size=8, key=_KEY), None, 0
    if before is not None:
        start = before + 1
        digest.update(_written(conversation.turns[:start]))
        follows = digest.hexdigest()
    digest.update(_written(conversation.turns[start : users[-1] + 1]))
    return digest.hexdigest(), follows


def _written(turns: Iterable[Turn]) -> bytes:
    """Turns so that no other turns are written alike: each with its length in front."""
    said = "".join([f"{turn.role} {len(turn.text)} {turn.text}" for turn in turns])
    return said.encode("utf-8", "surrogatepass")
