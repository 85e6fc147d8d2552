"""Request ids: the client's where it sends a usable one, else our own."""

import re
from secrets import token_hex

from acr.proxy.headers import REQUEST_ID, Headers, first

_usable = re.compile(rb"[A-Za-z0-9._:-]{1,128}").fullmatch


def request_id(headers: Headers) -> tuple[bytes, bool]:
    """An id that is safe in a header, a path and a log line; and whether it is the client's own."""
    given = first(headers, REQUEST_ID)
    if given is not None and _usable(given):
        return given, True
    return b"acr-" + token_hex(12).encode(), False
