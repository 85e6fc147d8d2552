"""ACR's own endpoints: health, status, traces, and a description of them. No upstream has any of these."""

import asyncio
import json
import os
from importlib.metadata import version
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from acr import registry
from acr.dialects import errors
from acr.errors import AcrError
from acr.proxy.keys import Keys
from acr.proxy.openapi import MAX_LISTED, description
from acr.proxy.record import dumps
from acr.proxy.relay import Relay
from acr.proxy.tally import Tally
from acr.proxy.traces import Traces
from acr.proxy.upstream import Upstream
from acr.settings import Settings
from acr.trace import Trace
from acr.tracestore import Writer
from acr.tracestore.reader import Reader
from acr.viewstore import Store

VERSION = version("adaptive-context-refactoring")
NAMES = {404: "not_found", 405: "method_not_allowed"}


class Own:
    """The endpoints, around the parts of the proxy that they tell of."""

    def __init__(
        self,
        settings: Settings,
        relay: Relay,
        upstream: Upstream,
        traces: Traces,
        keys: Keys,
        tally: Tally,
        views: Store,
        store: Writer | None,
    ) -> None:
        self.settings = settings
        self.relay = relay
        self.upstream = upstream
        self.traces = traces
        self.keys = keys
        self.tally = tally
        self.views = views
        self.store = store
        self.stored = Reader(store.database) if store is not None else None

    def routes(self) -> list[Route]:
        return [
            Route("/livez", self.live),
            Route("/readyz", self.ready),
            Route("/openapi.json", self.openapi),
            Route("/v1/acr/status", self.status),
            Route("/v1/acr/decisions", self.decisions),
            Route("/v1/acr/decisions/{id}", self.decision),
            Route("/v1/acr/decisions/{id}/turns", self.turns),
            Route("/v1/acr/totals", self.totals),
            *([Route("/metrics", self.metrics)] if self.settings.metrics != "off" else []),
        ]

    async def live(self, request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def ready(self, request: Request) -> Response:
        reachable, degraded = await asyncio.gather(self.upstream.reachable(), self.degraded())
        told = {"degraded": degraded} if degraded else {}
        if reachable:
            return JSONResponse({"status": "ok", **told})
        return JSONResponse({"status": "the upstream cannot be reached", **told}, status_code=503)

    async def degraded(self) -> dict[str, str]:
        """What ACR does without for the time being: clients notice nothing of it."""
        views = await self.views.trouble()
        traces = self.store.trouble() if self.store is not None else None
        return {name: told for name, told in (("views", views), ("traces", traces)) if told}

    async def openapi(self, request: Request) -> Response:
        return JSONResponse(description(VERSION))

    async def status(self, request: Request) -> Response:
        if not self.keys.admit(request.headers.raw):
            return no_key()
        engine = self.relay.refactorer.engine
        return JSONResponse(
            {
                "version": VERSION,
                "mode": self.settings.mode,
                "controller": engine.controller.name,
                "controllers": list(registry.available(registry.CONTROLLERS)),
                "operators": sorted(engine.operators),
                "keep_text": self.settings.keep_text,
                "keep_traces": self.settings.keep_traces,
                "store": self.store.database.name if self.store is not None else None,
                "open_requests": self.relay.open,
                "open_upstream_calls": self.upstream.calls,
                "worker": os.getpid(),
                "workers": self.settings.workers,
            }
        )

    async def decisions(self, request: Request) -> Response:
        if not self.keys.admit(request.headers.raw):
            return no_key()
        given = request.query_params.get("limit", "20")
        if not (given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= MAX_LISTED):
            return error(400, "invalid_limit", f"limit must be a whole number from 1 to {MAX_LISTED}.")
        brief = request.query_params.get("brief") == "true"
        newest = await self.newest(int(given), brief=brief)
        rows = b",".join(dumps(trace, brief=brief) for trace in newest)
        return Response(b'{"object":"list","data":[' + rows + b"]}", media_type="application/json")

    async def decision(self, request: Request) -> Response:
        if not self.keys.admit(request.headers.raw):
            return no_key()
        trace = await self.find(request.path_params["id"])
        if trace is None:
            return self.missing()
        return Response(dumps(trace), media_type="application/json")

    async def turns(self, request: Request) -> Response:
        if not self.keys.admit(request.headers.raw):
            return no_key()
        trace = await self.find(request.path_params["id"])
        if trace is None:
            return self.missing()
        if trace.messages is None:
            return error(409, "no_text", "This trace holds no text: ACR_KEEP_TEXT=true keeps it.")
        from acr.proxy import study

        try:
            rows = await asyncio.to_thread(study.turns, trace)
        except AcrError:
            return error(409, "no_text", "The messages of this trace cannot be read again.")
        body = json.dumps({"object": "list", "data": rows}).encode()
        return Response(body, media_type="application/json")

    async def totals(self, request: Request) -> Response:
        if not self.keys.admit(request.headers.raw):
            return no_key()
        return JSONResponse(self.tally.data())

    async def metrics(self, request: Request) -> Response:
        if self.settings.metrics == "key" and not self.keys.admit(request.headers.raw):
            return no_key()
        from acr.proxy.metrics import exposition

        body, content_type = exposition(
            self.tally,
            {"requests": self.relay.open, "upstream": self.upstream.calls},
            {
                "version": VERSION,
                "mode": self.settings.mode,
                "controller": self.relay.refactorer.engine.controller.name,
            },
            request.headers.get("accept", ""),
            str(os.getpid()) if self.settings.workers > 1 else "",
            self.views,
            self.store,
        )
        return Response(body, headers={"content-type": content_type})

    async def find(self, id: str) -> Trace | None:
        """The trace of that id in this worker's memory, or in the store."""
        found = self.traces.get(id)
        return found if found is not None or self.stored is None else await self.stored.get(id)

    async def newest(self, limit: int, *, brief: bool) -> list[Trace]:
        """The newest traces of this worker's memory, and where there is a store of all that write to it."""
        own = self.traces.newest(limit)
        if self.stored is None:
            return own
        known = {trace.id for trace in own}
        others = [one for one in await self.stored.newest(limit, brief=brief) if one.id not in known]
        return sorted([*own, *others], key=lambda one: one.time, reverse=True)[:limit] if others else own

    def missing(self) -> Response:
        told = "There is no such trace in memory, or not yet."
        if self.stored is not None:
            told = (
                "There is no such trace in memory or in the store, or not yet, or the store does not answer."
            )
        elif self.settings.workers > 1:
            told = (
                "There is no such trace in this worker's memory, or not yet. Each of the "
                f"{self.settings.workers} workers keeps its own: ask again on a new connection, "
                "which may reach another."
            )
        return error(404, "not_found", told)


async def refused(request: Request, fault: Exception) -> Response:
    """What the routing says no to, in the shape of the other errors."""
    status = fault.status_code if isinstance(fault, HTTPException) else 404
    told = "There is nothing here. ACR's base URL ends in /v1; its page for browsers is at /acr/."
    if status == 405:
        told = "This can only be read, with GET."
    headers: Any = getattr(fault, "headers", None)
    return JSONResponse(errors.openai(status, told, NAMES[status]), status_code=status, headers=headers)


def no_key() -> Response:
    answer = error(401, "invalid_api_key", "This proxy needs a key.")
    answer.headers["www-authenticate"] = "Bearer"
    return answer


def error(status: int, code: str, message: str) -> Response:
    return JSONResponse(errors.openai(status, message, code), status_code=status)
