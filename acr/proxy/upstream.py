"""The one model server behind the proxy, and the one pool of connections to it."""

import asyncio
import io
from collections.abc import AsyncIterator, Mapping
from typing import Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from acr.errors import UpstreamError
from acr.settings import Settings

KEEP_ALIVE = 4.5
"""Seconds an idle connection is kept. Many servers close theirs after 5: a request must not meet that."""
_LARGE = 1 << 20
_QUIET = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")
"""What aiohttp would add by itself. The upstream shall see the client's headers and no others."""


class UpstreamTimeout(UpstreamError):
    """The upstream did not answer within the time that is configured."""


class Upstream:
    """Opens calls. No redirects, no cookies, no retries, no decoding: a relay has no opinion on answers."""

    def __init__(self, settings: Settings) -> None:
        assert settings.upstream is not None
        self._base = base(settings.upstream)
        self._first_byte = settings.first_byte_timeout
        self._connect = settings.connect_timeout
        self._session: aiohttp.ClientSession | None = None
        self.headers: Mapping[str, str] = {}
        """Sent with every call beside the client's own; to be set before the first one."""
        self.calls = 0
        """Calls under way, idle pooled connections not counted."""

    @property
    def session(self) -> aiohttp.ClientSession:
        if self._session is None:  # made in the loop that uses it
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE, ttl_dns_cache=60),
                headers=self.headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._connect),
                auto_decompress=False,
                skip_auto_headers=_QUIET,
                read_bufsize=1 << 18,
                max_line_size=1 << 16,
                max_field_size=1 << 16,
                max_headers=1024,
            )
            # not public: aiohttp would send GET, PUT and DELETE again where a kept connection breaks
            self._session._retry_connection = False
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def url(self, raw_path: bytes, query: bytes) -> URL:
        """Where a request for `raw_path`, which begins with `/v1`, goes. The host is never the client's."""
        tail = raw_path[len(b"/v1") :].decode("latin-1")
        return URL(
            f"{self._base}{tail}?{query.decode('latin-1')}" if query else self._base + tail, encoded=True
        )

    async def open(
        self,
        method: str,
        url: URL,
        headers: CIMultiDict[str],
        body: bytes | AsyncIterator[bytes] | None,
    ) -> aiohttp.ClientResponse:
        """Send a request and wait for the head of the answer.

        Raises `UpstreamTimeout` or `UpstreamError`; their messages hold no address and no exception's text.
        """
        data: Any = io.BytesIO(body) if isinstance(body, bytes) and len(body) > _LARGE else body
        try:
            async with asyncio.timeout(self._first_byte):
                return await self.session.request(
                    method, url, headers=headers, data=data, allow_redirects=False
                )
        except (aiohttp.ServerTimeoutError, TimeoutError):
            raise UpstreamTimeout("the upstream did not answer in time") from None
        except aiohttp.ClientConnectorError:
            raise UpstreamError("the upstream could not be reached") from None
        except (aiohttp.ClientError, OSError, ValueError):
            raise UpstreamError("the upstream broke off before it answered") from None

    async def reachable(self, seconds: float = 3.0) -> bool:
        """Whether anything answers at all; any status counts, 401 is an answer too."""
        try:
            async with asyncio.timeout(seconds):
                response = await self.session.get(URL(self._base + "/models"), allow_redirects=False)
                response.close()
                return True
        except (aiohttp.ClientError, OSError, ValueError):
            return False


def base(upstream: str) -> str:
    """What stands in for the proxy's own `/v1`: the base URL an OpenAI client would be given.

    A bare host gets `/v1`, as that is what is meant where somebody writes `http://localhost:8000`.
    """
    url = URL(upstream)
    return upstream.rstrip("/") if url.path not in ("", "/") else str(url.origin()) + "/v1"


def leftover(stream: aiohttp.StreamReader) -> bytes:
    """What had arrived before the connection broke. aiohttp raises first and would lose it."""
    try:
        return stream._read_nowait(-1) if stream._buffer else b""
    except Exception:  # its private parts may change: then those bytes are lost, and a test fails
        return b""
