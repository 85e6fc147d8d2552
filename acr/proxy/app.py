"""The ASGI application: the relay below `/v1/`, and ACR's own endpoints beside it."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.applications import Starlette

from acr import registry, tokens, web
from acr.auxiliary import Auxiliary, of_settings
from acr.decision import Operator
from acr.dialects.chat import Chat
from acr.dialects.messages import Messages
from acr.dialects.responses import Responses
from acr.engine import Engine
from acr.errors import ConfigError
from acr.proxy import decisions
from acr.proxy.background import spawn
from acr.proxy.cors import Cors
from acr.proxy.entropies import Entropies
from acr.proxy.exchange import Exchange
from acr.proxy.hosts import Hosts
from acr.proxy.keys import Keys
from acr.proxy.own import VERSION, Own, refused
from acr.proxy.refactor import Refactorer
from acr.proxy.relay import Observer, Relay
from acr.proxy.tally import Tally
from acr.proxy.traces import Traces
from acr.proxy.upstream import Upstream
from acr.settings import Settings
from acr.trace import Trace
from acr.tracestore import Writer, redactor
from acr.viewstore import Memory, Seal, Views

DIALECTS = (Chat(), Responses(), Messages())
OWN = "/v1/acr/"

log = logging.getLogger("acr.proxy")


class App(Starlette):
    """Starlette for ACR's own endpoints; the relay's requests do not go through its routing."""

    relay: Relay
    decisions: decisions.Decisions
    cors: Cors | None
    hosts: Hosts | None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self.cors is not None and scope["type"] == "http":
            send = await self.cors.admit(scope, send)
            if send is None:
                return
        if self.hosts is not None and scope["type"] == "http" and self.hosts.refuses(scope):
            return await self.hosts.refuse(scope, receive, send)
        if scope["type"] == "http" and scope["path"].startswith("/v1/") and not scope["path"].startswith(OWN):
            ours = scope["path"] == decisions.PATH and scope["method"] == "POST"
            await (self.decisions if ours else self.relay)(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def make_engine(settings: Settings, more: Mapping[str, Operator] | None = None) -> Engine:
    """The engine that the settings ask for, and `more` operators. Raises `ConfigError` for unknown names."""
    operators = {**registry.operators(settings.operators), **(more or {})}
    controller = registry.controller(settings.controller)
    registry.check(controller, settings.controller, operators)
    return Engine(
        controller,
        operators,
        settings.deadline,
        of_settings(settings),
        patience=settings.auxiliary_timeout,
    )


def viewstore(settings: Settings) -> Views:
    """Where views are remembered: this worker's memory, or Redis. Raises `ConfigError` without the extra."""
    if settings.views is None:
        return Views(Memory(settings.views_ttl))
    try:
        from acr.viewstore.redis import Redis
    except ImportError:
        raise ConfigError(
            "views names a Redis, and its client is not installed: "
            "pip install 'adaptive-context-refactoring[redis]'"
        ) from None
    secret = settings.views_secret.get_secret_value() if settings.views_secret else ""
    seal = Seal((secret or "\n".join(key.get_secret_value() for key in settings.api_key)).encode())
    url = settings.views.get_secret_value()
    return Views(Redis(url, seal, limit=settings.views_timeout, ttl=settings.views_ttl), seal)


def tracestore(settings: Settings) -> Writer | None:
    """Who writes traces to the store that the settings name. Raises `ConfigError` without the extra.

    SQLite is prepared here, PostgreSQL by `acr traces migrate`: it may be away now, and it may not be this
    process's business to change its schema.
    """
    if settings.store is None:
        return None
    redact = redactor(settings.store_redact)
    try:
        from acr.tracestore.database import Database

        database = Database(settings.store.get_secret_value())
    except ImportError:
        raise ConfigError(
            "store names a database, and what it needs is not installed: "
            "pip install 'adaptive-context-refactoring[store]'"
        ) from None
    if database.path is not None:
        database.migrate()
    return Writer(database, redact, days=settings.store_days, limit=int(settings.store_mb * 1024 * 1024))


def exporting() -> tuple[Observer, Callable[[], None]]:
    """What tells OpenTelemetry, and how to end it. Raises `ConfigError` without the extra."""
    try:
        from acr.proxy import telemetry

        return telemetry.exporting(VERSION)
    except ImportError:
        raise ConfigError(
            "otel is on, and OpenTelemetry is not installed: pip install 'adaptive-context-refactoring[otel]'"
        ) from None


def storing(store: Writer, exchange: Exchange, trace: Trace | None) -> None:
    """Have a trace stored, if there is one."""
    if trace is not None:
        outcome = exchange.prepared.outcome if exchange.prepared is not None else None
        if outcome is not None and outcome.signals is not None:
            trace.signals = outcome.signals.numbers()
        held = exchange.prepared if trace.messages is not None else None
        store.add(trace, 2 * len(held.request.body) if held is not None else 0)


def load_vocabulary() -> None:
    """Load what counts tokens while the first requests are relayed. One that needs it sooner waits for it."""
    try:
        tokens.encoding()
    except Exception as fault:  # whoever needs it will fail open; the rest has no use for it
        log.error("no vocabulary to count tokens with: %s", type(fault).__name__)


def settle() -> None:
    """Keep the collector of cycles from what is there to stay, and let it look for more less often.

    A request makes hundreds of objects and hardly a cycle. With Python's usual thresholds the collector goes
    through everything each few requests (docs/performance.md).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def create_app(settings: Settings, engine: Engine | None = None) -> App:
    """Make the application. Raises `ConfigError` if there is no upstream, or a name is unknown."""
    if settings.upstream is None:
        raise ConfigError("no upstream: set ACR_UPSTREAM to the base URL of a model server")
    if engine is None:
        engine = make_engine(settings)
    upstream = Upstream(settings)
    entropies = Entropies()
    views = viewstore(settings)
    engine = replace(engine, recall=entropies, views=views)
    refactorer = Refactorer(engine, settings.mode, settings.questions)
    traces = Traces(settings.keep_traces)
    keys = Keys(settings.api_key, settings.upstream_key)
    tally = Tally(frozenset(path for dialect in DIALECTS for path in dialect.paths))
    telemetry, end = exporting() if settings.otel else (None, None)
    observers: list[Observer] = [tally]
    if telemetry is not None:
        observers.append(telemetry)
    store = tracestore(settings)
    if store is not None:
        observers.append(partial(storing, store))
    relay = Relay(settings, upstream, refactorer, traces, entropies, keys, DIALECTS, observers)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if settings.mode != "off":
            spawn(asyncio.to_thread(load_vocabulary))
        if isinstance(engine.complete, Auxiliary):
            await asyncio.to_thread(engine.complete.prepare)
        if store is not None:
            store.start()
        settle()
        try:
            yield
        finally:
            if isinstance(engine.complete, Auxiliary):
                await engine.complete.close()
            if end is not None:
                await asyncio.to_thread(end)
            if store is not None:
                await asyncio.to_thread(store.close)
            refactorer.close()
            await views.store.close()
            await upstream.close()

    app = App(
        routes=[
            *Own(settings, relay, upstream, traces, keys, tally, views.store, store).routes(),
            *web.routes(),
        ],
        lifespan=lifespan,
        exception_handlers={404: refused, 405: refused},
    )
    app.relay = relay
    app.decisions = decisions.Decisions(relay, keys)
    app.hosts = Hosts(settings.host, settings.allowed_hosts) if not settings.api_key else None
    app.cors = Cors(settings.cors_origins) if settings.cors_origins else None
    return app
