"""Keys that nobody can guess or meet by chance, and values that are what was put under them, or nothing.

With a secret, both hold against whoever can read or write the store: without it no key can be worked out
for a text, and no value can be made or moved. Without one they still tell what is torn, foreign or under the
wrong key, as where an answer of the store reaches the wrong question.
"""

from collections.abc import Sequence
from hashlib import blake2b
from hmac import compare_digest

from acr.conversation import Turn

FORM = b"acr view 1"
"""Changes with the form of what is kept, so that no version reads another's."""
_MAC = 32


class Seal:
    """Makes keys, and closes and opens values, with the secret that all instances have."""

    def __init__(self, secret: bytes = b"") -> None:
        self._secret = blake2b(secret, digest_size=32, person=FORM).digest()

    def key(self, scope: bytes, maker: str, content: bytes) -> bytes:
        """32 bytes that stand for whose view this is, who made it and what of."""
        hashed = blake2b(digest_size=32, key=self._secret, person=b"key")
        for part in (scope, maker.encode(), content):
            hashed.update(b"%d " % len(part) + part)
        return hashed.digest()

    def close(self, key: bytes, value: bytes) -> bytes:
        """The value with what proves that it belongs under this key."""
        return self._mac(key, value) + value

    def open(self, key: bytes, sealed: bytes) -> bytes | None:
        """The value, or None if it was not closed for this key with this secret."""
        mac, value = sealed[:_MAC], sealed[_MAC:]
        return value if compare_digest(mac, self._mac(key, value)) else None

    def _mac(self, key: bytes, value: bytes) -> bytes:
        return blake2b(key + value, digest_size=_MAC, key=self._secret, person=b"value").digest()


def digest(turns: Sequence[Turn]) -> bytes:
    """Stands for these turns and for no others: role, text, calls and form of each, with lengths."""
    hashed = blake2b(digest_size=32)
    for turn in turns:
        marks = (turn.role, turn.text, *turn.calls, "", *turn.answers)
        form = turn.plain, turn.attached, turn.result, turn.sealed
        parts = [mark.encode("utf-8", "surrogatepass") for mark in marks]
        hashed.update(b"%d %d%d%d%d " % (len(parts), *form))
        for part in parts:
            hashed.update(b"%d " % len(part) + part)
    return hashed.digest()
