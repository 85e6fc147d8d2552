"""Which headers go through, which belong to one connection only, and which are ACR's own."""

from collections.abc import Iterable, Sequence

Headers = Sequence[tuple[bytes, bytes]]
"""As ASGI has them: order and duplicates kept, names in lower case where they come from the server."""

HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
"""RFC 9110, section 7.6.1: of one connection only. What `connection` names goes too."""

NOT_UPSTREAM = HOP_BY_HOP | {b"host", b"expect"}
OURS = b"x-acr-"
REQUEST_ID = b"x-request-id"
UPSTREAM_REQUEST_ID = b"x-upstream-request-id"


def first(headers: Headers, name: bytes) -> bytes | None:
    """The value of the first header of that name."""
    for key, value in headers:
        if key == name:
            return value
    return None


def named_by_connection(headers: Headers) -> frozenset[bytes]:
    """Names that `connection` declares to be of this connection only, besides the usual ones."""
    declared = [value for key, value in headers if key == b"connection"]
    if not declared:
        return _NONE
    found = {token.strip().lower() for value in declared for token in value.split(b",")}
    return frozenset(found - {b"close", b"keep-alive", b""}) - {b"content-length", b"content-type"}


_NONE: frozenset[bytes] = frozenset()


def to_upstream(headers: Headers, drop: Iterable[bytes] = ()) -> list[tuple[bytes, bytes]]:
    """The client's headers as the upstream gets them.

    `host` is the upstream's own, `expect` was answered by the server, and nothing of ACR's goes along.
    """
    left_out = NOT_UPSTREAM.union(drop, named_by_connection(headers))
    return [one for one in headers if one[0] not in left_out and not one[0].startswith(OURS)]


def to_client(
    headers: Headers, own: Sequence[tuple[bytes, bytes]], *, without_length: bool = False
) -> list[tuple[bytes, bytes]]:
    """The upstream's headers as the client gets them, and ACR's own after them.

    The upstream's `x-request-id` is passed on unless `own` sets one; a copy is in `x-upstream-request-id`.
    """
    lowered = [(key.lower(), value) for key, value in headers]
    left_out = HOP_BY_HOP.union(named_by_connection(lowered), [key for key, _ in own])
    if without_length:
        left_out |= {b"content-length"}
    result = [one for one in lowered if one[0] not in left_out]
    theirs = first(lowered, REQUEST_ID)
    if theirs is not None:
        result.append((UPSTREAM_REQUEST_ID, theirs))
    return [*result, *own]


def printable(value: str, limit: int = 200) -> bytes:
    """Any text as a header value: one line of visible ASCII."""
    if len(value) <= limit and value.isascii() and value.isprintable():  # as good as always
        return value.strip().encode("ascii")
    return "".join(sign if " " <= sign <= "~" else "?" for sign in value[:limit]).strip().encode("ascii")
