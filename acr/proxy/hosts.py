"""Against DNS rebinding: a page whose own name was made to point at this machine still goes by that name.

Without a key, only being on this machine lets a client in, and a browser is on this machine for any page that
it shows. A page cannot read another origin's answers unasked (`acr.proxy.cors`), but it can have its own name
resolve to 127.0.0.1. What it cannot do is send another `Host`. So a name that anybody could own is refused to
browsers, and to everybody where what is asked for is what others said (`/v1/acr/`). Other programs pass: they
call the proxy by whatever name leads there, through a tunnel, a container's gateway or a reverse proxy.
"""

import ipaddress
import logging
from collections.abc import Sequence
from functools import lru_cache

from starlette.responses import JSONResponse

from acr.dialects import errors
from acr.proxy.client import Message, Receive, Send
from acr.proxy.exchange import Refused
from acr.proxy.headers import Headers, first

log = logging.getLogger("acr.proxy")

HIDDEN = "/v1/acr/"
"""Endpoints that tell what clients said."""
_BROWSER = (b"origin", b"referer", b"sec-fetch-site")
"""Headers that browsers send and other programs as good as never do; Node's `fetch` sends none of them."""
_LOCAL = (".localhost", ".internal", ".local")
"""Ends of names that nobody can register."""


class Hosts:
    """Which names a browser may call the proxy by."""

    def __init__(self, bound: str, allowed: Sequence[str] = ()) -> None:
        self._any = "*" in allowed
        self._names = {"localhost", *(name.lower().rstrip(".") for name in (bound, *allowed))}

    def refuses(self, scope: Message) -> bool:
        """Whether a request must not be answered."""
        headers: Headers = scope["headers"]
        host = first(headers, b"host")
        if self._any or not host or self._trusted(name_of(host.decode("latin-1"))):
            return False
        path: str = scope["path"]
        return path.startswith(HIDDEN) or from_browser(headers)

    @staticmethod
    async def refuse(scope: Message, receive: Receive, send: Send) -> None:
        """Answer with what would be right. The name is not repeated: a page could put anything there."""
        log.warning("refused: a page, or /v1/acr/, under a name that is not this proxy's")
        fault = Refused(
            403,
            "host_not_allowed",
            "This proxy has no key, so it does not answer pages under a name that anybody could have made to "
            "point here. Call it as localhost, or set ACR_API_KEY, or name this host in ACR_ALLOWED_HOSTS.",
        )
        shape = errors.anthropic if scope["path"].startswith("/v1/messages") else errors.openai
        told = shape(fault.status, str(fault), fault.code)
        response = JSONResponse(told, status_code=fault.status)
        await response(scope, receive, send)

    def _trusted(self, name: str) -> bool:
        """An address is no name that could have been made to point here."""
        if name in self._names or name.endswith(_LOCAL):
            return True
        return is_address(name)


@lru_cache(64)
def is_address(name: str) -> bool:
    """Whether this is an IP address. Remembered: clients call the proxy by few names."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def name_of(host: str) -> str:
    """A `Host` without its port, in lower case: `[::1]:8300` gives `::1`."""
    if host.startswith("["):
        address, _, port = host[1:].partition("]")
        return host if port.strip(":0123456789") else address.lower()
    return host.partition(":")[0].lower().rstrip(".")


def from_browser(headers: Headers) -> bool:
    """Whether a browser sent these, as far as can be told. A same-origin GET has no `Origin`, and without TLS
    no `Sec-Fetch-Site`; then the name of the program tells.
    """
    if any(name in _BROWSER for name, _ in headers):
        return True
    return (first(headers, b"user-agent") or b"").startswith(b"Mozilla/")
