"""Runs the application in uvicorn."""

import socket

import uvicorn

from acr.engine import Engine
from acr.proxy import log
from acr.proxy.app import create_app
from acr.settings import Settings


def config(settings: Settings, engine: Engine | None = None) -> uvicorn.Config:
    """The server's configuration: nothing is added to what the upstream answers."""
    return uvicorn.Config(
        create_app(settings, engine),
        host=settings.host,
        port=settings.port,
        http="httptools",
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=int(settings.shutdown_timeout),
    )


def serve(
    settings: Settings, engine: Engine | None = None, sockets: list[socket.socket] | None = None
) -> None:
    """Serve until told to stop. Raises `ConfigError` before anything listens."""
    server = uvicorn.Server(config(settings, engine))
    log.configure(settings)
    server.run(sockets=sockets)
