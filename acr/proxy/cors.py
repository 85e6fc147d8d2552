"""Cross-origin requests from pages in a browser, for the origins that are configured.

Off by default: then preflights are relayed, and whatever the upstream says of origins is passed on. On, ACR
speaks for itself alone: preflights end here, and the upstream's own `access-control-…` headers give way.
"""

from collections.abc import Sequence

from acr.proxy.client import Message, Send
from acr.proxy.headers import Headers, first

ORIGIN = b"origin"
WANTED_METHOD = b"access-control-request-method"
WANTED_HEADERS = b"access-control-request-headers"
PREFIX = b"access-control-"
SECONDS = b"600"
"""How long a browser may remember what a preflight said."""


class Cors:
    def __init__(self, origins: Sequence[str]) -> None:
        self._all = "*" in origins
        self._origins = frozenset(origin.rstrip("/").encode() for origin in origins)

    async def admit(self, scope: Message, send: Send) -> Send | None:
        """Answer a preflight and give nothing, or give the `send` that the request's answer goes through."""
        headers: Headers = scope["headers"]
        origin = first(headers, ORIGIN)
        if origin is None:
            return send
        allowed = self._all or origin in self._origins
        if scope["method"] == "OPTIONS" and first(headers, WANTED_METHOD) is not None:
            await preflight(send, origin, headers, allowed=allowed)
            return None
        return marked(send, origin) if allowed else send


async def preflight(send: Send, origin: bytes, headers: Headers, *, allowed: bool) -> None:
    """Allow what is asked for. The upstream decides on the request itself, as it does for all others."""
    told = [(b"vary", b"Origin"), (b"content-length", b"0")]
    if allowed:
        told += [
            (b"access-control-allow-origin", origin),
            (b"access-control-allow-methods", first(headers, WANTED_METHOD) or b""),
            (b"access-control-allow-headers", first(headers, WANTED_HEADERS) or b""),
            (b"access-control-max-age", SECONDS),
        ]
    await send({"type": "http.response.start", "status": 200 if allowed else 403, "headers": told})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def marked(send: Send, origin: bytes) -> Send:
    """A `send` that lets the page at `origin` read the answer, all of its headers too."""

    async def through(message: Message) -> None:
        if message["type"] == "http.response.start":
            theirs = [(key, value) for key, value in message["headers"] if not key.startswith(PREFIX)]
            names = sorted({key for key, _ in theirs})
            own = [
                (b"access-control-allow-origin", origin),
                (b"access-control-expose-headers", b", ".join(names)),
                (b"vary", b"Origin"),
            ]
            message = {**message, "headers": [*theirs, *own]}
        await send(message)

    return through
