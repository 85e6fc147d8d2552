"""Runs the application in uvicorn, in this process or in several."""

import socket
from functools import partial
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from acr.engine import Engine
from acr.proxy import log
from acr.proxy.app import App, create_app
from acr.settings import Settings


def serve(
    settings: Settings, engine: Engine | None = None, sockets: list[socket.socket] | None = None
) -> None:
    """Serve until told to stop; running answers get `shutdown_timeout` to finish.

    Raises `ConfigError` before anything listens. With several workers each makes its own engine from the
    settings, and has its own traces and its own bound on concurrency.
    """
    log.configure(settings)
    if settings.workers == 1:
        uvicorn.Server(config(settings, engine)).run(sockets=sockets)
        return
    create_app(settings, engine)  # what is wrong shall be told once, here, and not by every worker
    several = uvicorn.Config(
        partial(worker, settings), factory=True, workers=settings.workers, **options(settings)
    )
    Multiprocess(several, sockets=sockets or [several.bind_socket()]).run()


def config(settings: Settings, engine: Engine | None = None) -> uvicorn.Config:
    """The configuration of a server in this process."""
    return uvicorn.Config(create_app(settings, engine), **options(settings))


def worker(settings: Settings) -> App:
    """The application of one worker process."""
    log.configure(settings)
    return create_app(settings)


def options(settings: Settings) -> dict[str, Any]:
    """What uvicorn is told: nothing is to be added to what the upstream answers."""
    return {
        "host": settings.host,
        "port": settings.port,
        "http": "httptools",
        "ws": "none",
        "lifespan": "on",
        "access_log": False,
        "log_config": None,
        "server_header": False,
        "date_header": False,
        "proxy_headers": False,
        "timeout_keep_alive": 75,
        "timeout_graceful_shutdown": int(settings.shutdown_timeout),
        "timeout_worker_healthcheck": 60,  # with the usual 5 s a slow machine is killed while it imports
    }
