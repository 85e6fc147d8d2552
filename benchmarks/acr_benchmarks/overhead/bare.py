"""A relay that does nothing but relay: the limit of what uvicorn and aiohttp allow.

    python -m acr_benchmarks.overhead.bare UPSTREAM PORT

It reads a body, hands it on with the client's headers, and passes on the answer's bytes as they come. Server
and client are set up as ACR's own, so that what is compared is the work in between.
"""

import socket
import sys
from collections.abc import MutableMapping
from typing import Any

import aiohttp
import uvicorn

DROPPED = frozenset({b"host", b"connection", b"transfer-encoding", b"keep-alive"})


class Bare:
    """An ASGI application."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.session: aiohttp.ClientSession | None = None

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if self.session is None:  # made in the loop that uses it
            self.session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=4.5),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
                read_bufsize=1 << 18,
            )
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = {key.decode(): value.decode() for key, value in scope["headers"] if key not in DROPPED}
        url = self.upstream + scope["path"]
        async with self.session.request(scope["method"], url, headers=headers, data=body) as response:
            kept = [(key.lower(), value) for key, value in response.raw_headers if key.lower() not in DROPPED]
            await send({"type": "http.response.start", "status": response.status, "headers": kept})
            while chunk := await response.content.readany():
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def main(upstream: str, port: int) -> None:
    listener = socket.create_server(("127.0.0.1", port), backlog=2048)
    config = uvicorn.Config(
        Bare(upstream),
        http="httptools",
        ws="none",
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        proxy_headers=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
