"""Request ids: the client's where it sends a usable one, else our own."""

import os
import re
from collections import deque

from acr.proxy.headers import REQUEST_ID, Headers, first

_usable = re.compile(rb"[A-Za-z0-9._:-]{1,128}").fullmatch


def request_id(headers: Headers) -> tuple[bytes, bool]:
    """An id that is safe in a header, a path and a log line; and whether it is the client's own."""
    given = first(headers, REQUEST_ID)
    if given is not None and _usable(given):
        return given, True
    if not _drawn:
        drawn = os.urandom(_LENGTH * _AT_ONCE).hex().encode()
        _drawn.extend(drawn[at : at + 2 * _LENGTH] for at in range(0, len(drawn), 2 * _LENGTH))
    return b"acr-" + _drawn.pop(), False


_LENGTH = 12
"""Random bytes of an id: nobody can guess one."""
_AT_ONCE = 256
"""Ids for which the system is asked at once: to ask takes longer than all else here."""
_drawn: deque[bytes] = deque()
