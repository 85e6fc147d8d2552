"""Who may use the proxy, and with which credential the upstream is asked.

Three cases. No keys configured: the client's credential is the upstream's affair and goes there as it came.
ACR keys configured: a client shows one, and a header that holds one never goes upstream. Upstream key
configured: whatever the client sent is taken out, and that key is sent instead.
"""

from collections.abc import Sequence
from hashlib import blake2b
from hmac import compare_digest

from pydantic import SecretStr

from acr.proxy.headers import Headers, to_upstream

CREDENTIALS = (b"authorization", b"x-api-key")


class Keys:
    def __init__(self, clients: Sequence[SecretStr], upstream: SecretStr | None) -> None:
        self._clients = [key.get_secret_value().encode() for key in clients]
        self._upstream = upstream.get_secret_value().encode() if upstream else None

    def admit(self, headers: Headers) -> bool:
        """Whether the client may come in."""
        if not self._clients:
            return True
        return any(self._is_ours(key, value) for key, value in headers)

    def outgoing(self, headers: Headers, *, anthropic: bool) -> list[tuple[bytes, bytes]]:
        """The client's headers with the credential that the upstream shall see."""
        if self._upstream is not None:
            result = to_upstream(headers, drop=CREDENTIALS)
            if anthropic:
                return [*result, (b"x-api-key", self._upstream)]
            return [*result, (b"authorization", b"Bearer " + self._upstream)]
        if not self._clients:
            return to_upstream(headers)
        return to_upstream([(key, value) for key, value in headers if not self._is_ours(key, value)])

    @staticmethod
    def scope(headers: Headers) -> bytes:
        """Stands for whoever shows these credentials: what is remembered for one client no other is given."""
        shown = [name + b" " + value for name, value in headers if name in CREDENTIALS]
        return blake2b(b"\n".join(shown), digest_size=32).digest()

    def _is_ours(self, name: bytes, value: bytes) -> bool:
        """Compare in a time that tells nothing of how much of a key was right, nor of which key."""
        if name == b"authorization":
            scheme, _, value = value.partition(b" ")
            if scheme.lower() != b"bearer":
                return False
        elif name != b"x-api-key":
            return False
        matches = [compare_digest(value.strip(), key) for key in self._clients]  # all of them, always
        return any(matches)
