"""The ASGI application: the relay below `/v1/`, and a few endpoints of ACR's own."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from acr import registry, tokens
from acr.auxiliary import Auxiliary, of_settings
from acr.decision import Operator
from acr.dialects import errors
from acr.dialects.chat import Chat
from acr.dialects.messages import Messages
from acr.dialects.responses import Responses
from acr.engine import Engine
from acr.errors import ConfigError
from acr.proxy.entropies import Entropies
from acr.proxy.keys import Keys
from acr.proxy.record import dumps
from acr.proxy.refactor import Refactorer
from acr.proxy.relay import Relay
from acr.proxy.traces import Traces
from acr.proxy.upstream import Upstream
from acr.settings import Settings

DIALECTS = (Chat(), Responses(), Messages())
OWN = "/v1/acr/"


class App(Starlette):
    """Starlette for ACR's own endpoints; the relay's requests do not go through its routing."""

    relay: Relay

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/v1/") and not scope["path"].startswith(OWN):
            await self.relay(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def make_engine(settings: Settings, more: Mapping[str, Operator] | None = None) -> Engine:
    """The engine that the settings ask for, and `more` operators. Raises `ConfigError` for unknown names."""
    operators = {**registry.operators(settings.operators), **(more or {})}
    return Engine(
        registry.controller(settings.controller),
        operators,
        settings.deadline,
        of_settings(settings),
        patience=settings.auxiliary_timeout,
    )


def create_app(settings: Settings, engine: Engine | None = None) -> App:
    """Make the application. Raises `ConfigError` if there is no upstream, or a name is unknown."""
    if settings.upstream is None:
        raise ConfigError("no upstream: set ACR_UPSTREAM to the base URL of a model server")
    if engine is None:
        engine = make_engine(settings)
    upstream = Upstream(settings)
    entropies = Entropies()
    engine = replace(engine, recall=entropies.signals)
    refactorer = Refactorer(engine, settings.mode, settings.questions)
    traces = Traces(settings.keep_traces)
    keys = Keys(settings.api_key, settings.upstream_key)
    relay = Relay(settings, upstream, refactorer, traces, entropies, keys, DIALECTS)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if settings.mode != "off":
            await asyncio.to_thread(tokens.count, "load the vocabulary before the first request needs it")
        if isinstance(engine.complete, Auxiliary):
            await asyncio.to_thread(engine.complete.prepare)
        try:
            yield
        finally:
            if isinstance(engine.complete, Auxiliary):
                await engine.complete.close()
            refactorer.close()
            await upstream.close()

    async def live(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def ready(request: Request) -> Response:
        if await upstream.reachable():
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": "the upstream cannot be reached"}, status_code=503)

    async def decisions(request: Request) -> Response:
        if not keys.admit(request.headers.raw):
            return _error(401, "invalid_api_key", "This proxy needs a key.")
        given = request.query_params.get("limit", "20")
        limit = int(given) if given.isascii() and given.isdigit() else 20
        rows = b",".join(dumps(trace) for trace in traces.newest(min(limit, 1000)))
        return Response(b'{"object":"list","data":[' + rows + b"]}", media_type="application/json")

    async def decision(request: Request) -> Response:
        if not keys.admit(request.headers.raw):
            return _error(401, "invalid_api_key", "This proxy needs a key.")
        trace = traces.get(request.path_params["id"])
        if trace is None:
            return _error(404, "not_found", "There is no such trace in memory, or not yet.")
        return Response(dumps(trace), media_type="application/json")

    async def status(request: Request) -> Response:
        if not keys.admit(request.headers.raw):
            return _error(401, "invalid_api_key", "This proxy needs a key.")
        return JSONResponse(
            {
                "version": version("adaptive-context-refactoring"),
                "mode": settings.mode,
                "controller": engine.controller.name,
                "operators": sorted(engine.operators),
                "open_requests": relay.open,
                "open_upstream_calls": upstream.calls,
            }
        )

    async def missing(request: Request, error: Exception) -> Response:
        return _error(404, "not_found", "There is nothing here. ACR's base URL ends in /v1.")

    app = App(
        routes=[
            Route("/livez", live),
            Route("/readyz", ready),
            Route("/v1/acr/status", status),
            Route("/v1/acr/decisions", decisions),
            Route("/v1/acr/decisions/{id}", decision),
        ],
        lifespan=lifespan,
        exception_handlers={404: missing},
    )
    app.relay = relay
    return app


def _error(status: int, code: str, message: str) -> Response:
    return JSONResponse(errors.openai(status, message, code), status_code=status)
