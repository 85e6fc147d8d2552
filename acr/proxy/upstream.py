"""The one model server behind the proxy, and the one pool of connections to it."""

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import Mapping
from time import monotonic
from urllib.parse import quote, urlsplit

from aiohappyeyeballs import start_connection

from acr.errors import UpstreamError
from acr.proxy.connection import Body, Connection
from acr.proxy.headers import Headers
from acr.settings import Settings

KEEP_ALIVE = 4.5
"""Seconds an idle connection is kept. Many servers close theirs after 5: a request must not meet that."""
NEXT_ADDRESS = 0.25
"""Seconds until the host's next address is tried beside one that does not answer (RFC 8305)."""


class UpstreamTimeout(UpstreamError):
    """The upstream did not answer within the time that is configured."""


class Upstream:
    """Opens calls. No redirects, no cookies, no retries, no decoding: a relay has no opinion on answers."""

    def __init__(self, settings: Settings) -> None:
        assert settings.upstream is not None
        url = urlsplit(base(settings.upstream))
        self._path = quote(url.path.rstrip("/"), safe="/%:@!$&'()*+,;=").encode()
        self._tls = url.scheme == "https"
        self._port = url.port or (443 if self._tls else 80)
        host = url.hostname or ""
        self._host = host if host.isascii() else host.encode("idna").decode()
        name = f"[{self._host}]" if ":" in self._host else self._host
        self._named = (f"{name}:{url.port}" if url.port else name).encode()
        self._first_byte = settings.first_byte_timeout
        self._connect_timeout = settings.connect_timeout
        self._context: ssl.SSLContext | None = None
        self._idle: deque[tuple[float, Connection]] = deque()
        """Connections that wait for a request, and since when; the newest last."""
        self._sweeper: asyncio.TimerHandle | None = None
        self.busy: set[Connection] = set()
        self.headers: Mapping[str, str] = {}
        """Sent with every call beside the client's own; to be set before the first one."""
        self.calls = 0
        """Calls under way, idle pooled connections not counted."""

    async def close(self) -> None:
        """Close every connection, calls under way too."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for connection in (*self.busy, *(one for _, one in self._idle)):
            connection.close()
        self.busy.clear()
        self._idle.clear()

    def target(self, raw_path: bytes, query: bytes) -> bytes:
        """What is asked for by `raw_path`, which begins with `/v1`. The host is never the client's."""
        path = self._path + raw_path[len(b"/v1") :]
        return b"%b?%b" % (path, query) if query else path

    async def open(self, method: str, target: bytes, headers: Headers, body: Body = None) -> Connection:
        """Send a request and wait for the head of the answer. Whoever gets it gives it back by `done`.

        Raises `UpstreamTimeout` or `UpstreamError`; their messages hold no address and no exception's text.
        """
        try:
            if self._first_byte is None:
                return await self._open(method, target, headers, body)
            async with asyncio.timeout(self._first_byte):
                return await self._open(method, target, headers, body)
        except TimeoutError:
            raise UpstreamTimeout("the upstream did not answer in time") from None

    async def _open(self, method: str, target: bytes, headers: Headers, body: Body) -> Connection:
        connection = self._kept() or await self._connect()
        self.busy.add(connection)
        try:
            more = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
            connection.ask(method, target, [(b"host", self._named), *headers, *more], body)
            await connection.answered()
        except (OSError, ValueError):
            self.done(connection)
            raise UpstreamError("the upstream broke off before it answered") from None
        except BaseException:
            self.done(connection)
            raise
        return connection

    def done(self, connection: Connection) -> None:
        """Keep a connection for the next request, or close it if its answer was not read to its end."""
        self.busy.discard(connection)
        if not connection.reusable:
            connection.close()
            return
        self._idle.append((monotonic(), connection))
        if self._sweeper is None:
            self._sweeper = asyncio.get_running_loop().call_later(KEEP_ALIVE, self._sweep)

    def _kept(self) -> Connection | None:
        """The connection that was used last, if it was used of late."""
        while self._idle:
            since, connection = self._idle.pop()
            if connection.reusable and monotonic() - since < KEEP_ALIVE:
                return connection
            connection.close()
        return None

    def _sweep(self) -> None:
        """Close what has waited long enough."""
        self._sweeper = None
        while self._idle and (self._idle[0][1].lost or monotonic() - self._idle[0][0] >= KEEP_ALIVE):
            self._idle.popleft()[1].close()
        if self._idle:
            wait = KEEP_ALIVE - (monotonic() - self._idle[0][0])
            self._sweeper = asyncio.get_running_loop().call_later(wait, self._sweep)

    async def _connect(self) -> Connection:
        if self._tls and self._context is None:
            self._context = ssl.create_default_context()
            self._context.set_alpn_protocols(["http/1.1"])
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._connect_timeout):
                found = await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
                one = await start_connection(found, happy_eyeballs_delay=NEXT_ADDRESS)
                name = self._host if self._tls else None
                _, connection = await loop.create_connection(
                    Connection, sock=one, ssl=self._context, server_hostname=name
                )
        except TimeoutError:
            raise
        except ssl.SSLCertVerificationError as error:
            reason = error.verify_message.partition(",")[0]  # after it there may be the host's name
            raise UpstreamError(f"the upstream's certificate was refused: {reason}") from None
        except ssl.SSLError:
            raise UpstreamError("there is no TLS with the upstream") from None
        except (OSError, ValueError, RuntimeError):  # the last one is uvloop's, at times
            raise UpstreamError("the upstream could not be reached") from None
        return connection

    async def reachable(self, seconds: float = 3.0) -> bool:
        """Whether anything answers at all; any status counts, 401 is an answer too."""
        try:
            async with asyncio.timeout(seconds):
                self.done(await self.open("GET", self._path + b"/models", []))
                return True
        except (UpstreamError, TimeoutError):
            return False


def base(upstream: str) -> str:
    """What stands in for the proxy's own `/v1`: the base URL an OpenAI client would be given.

    A bare host gets `/v1`, as that is what is meant where somebody writes `http://localhost:8000`.
    """
    url = urlsplit(upstream)
    return upstream.rstrip("/") if url.path not in ("", "/") else f"{url.scheme}://{url.netloc}/v1"
