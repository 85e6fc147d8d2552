"""One request through the proxy.

    refuse? ─► read body ─► refactor ─► call upstream ─► relay bytes as they come ─► trace

Raw ASGI: on this path a request object and a response object cost more than all that ACR does.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from acr.dialects import Dialect
from acr.errors import ConfigError, UpstreamError
from acr.proxy import controls
from acr.proxy.client import Client, HungUp, Message, Receive, Send, TooLarge
from acr.proxy.connection import Connection
from acr.proxy.entropies import Entropies
from acr.proxy.exchange import Exchange, Refused, acr_headers, answer, is_anthropic, reply
from acr.proxy.headers import REQUEST_ID, Headers, first, printable, to_client
from acr.proxy.ids import request_id
from acr.proxy.keys import Keys
from acr.proxy.log import FIELDS
from acr.proxy.models import listed
from acr.proxy.monitor import Monitor
from acr.proxy.record import record
from acr.proxy.refactor import Refactorer
from acr.proxy.traces import Traces
from acr.proxy.upstream import Upstream, UpstreamTimeout
from acr.settings import Settings
from acr.trace import Trace

Observer = Callable[[Exchange, Trace | None], None]
"""Told of each request once the client has its last byte. There is no trace of what was only relayed."""

log = logging.getLogger("acr.proxy")


class Relay:
    """An ASGI application for everything below `/v1/`."""

    def __init__(
        self,
        settings: Settings,
        upstream: Upstream,
        refactorer: Refactorer,
        traces: Traces,
        entropies: Entropies,
        keys: Keys,
        dialects: tuple[Dialect, ...],
        observers: Sequence[Observer] = (),
    ) -> None:
        self.upstream = upstream
        self.refactorer = refactorer
        self.traces = traces
        self.entropies = entropies
        self.keys = keys
        self.observers = observers
        self.dialects = {path: dialect for dialect in dialects for path in dialect.paths}
        self.list_models = settings.list_models
        self.keep_text = settings.keep_text
        self.max_body = int(settings.max_body_mb * 1024 * 1024)
        self.max_body_mb = settings.max_body_mb
        self.max_header = int(settings.max_header_kb * 1024)
        self.idle = settings.idle_timeout
        self.max_open = settings.max_concurrency
        self.open = 0
        """Requests under way."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        headers: Headers = scope["headers"]
        id, own = request_id(headers)
        path: str = scope["path"]
        exchange = Exchange(scope["method"], path, headers, Client(receive), send, id, own)
        self.open += 1
        try:
            if exchange.method == "POST":
                exchange.dialect = self.dialects.get(path.rstrip("/"))
            self.refuse(exchange, scope["raw_path"])
            await self.serve(exchange, scope)
        except Refused as refusal:
            await answer(exchange, refusal)
        except HungUp:
            exchange.error = "client disconnected"
        except asyncio.CancelledError:
            if not exchange.client.hung_up:
                raise
            exchange.error = "client disconnected"
            asyncio.current_task().uncancel()  # type: ignore[union-attr]
        except Exception as fault:
            log.error("internal error: %s", type(fault).__name__, exc_info=log.isEnabledFor(logging.DEBUG))
            if exchange.status == 0:
                await answer(
                    exchange, Refused(502, "acr_internal_error", "ACR failed to relay this request.")
                )
        finally:
            self.open -= 1
            exchange.client.done()
        trace = self.note(exchange)
        tell(exchange)
        for observe in self.observers:
            try:
                observe(exchange, trace)
            except Exception as fault:
                log.error("not counted: %s", type(fault).__name__, exc_info=log.isEnabledFor(logging.DEBUG))

    def refuse(self, exchange: Exchange, raw_path: bytes) -> None:
        """Raise `Refused` for what must not get through."""
        headers = exchange.headers
        if sum([len(key) + len(value) + 4 for key, value in headers]) > self.max_header:
            raise Refused(431, "headers_too_large", f"Request headers are over {self.max_header} bytes.")
        if not self.keys.admit(headers):
            raise Refused(
                401,
                "invalid_api_key",
                "This proxy needs a key: send one of its ACR_API_KEY values as 'Authorization: Bearer …'.",
                (b"www-authenticate", b"Bearer"),
            )
        if self.open > self.max_open:
            raise Refused(503, "overloaded", "Too many requests at once.", (b"retry-after", b"1"))
        leaves = "/." in exchange.path and any(part in (".", "..") for part in exchange.path.split("/"))
        if leaves or not raw_path.startswith(b"/v1"):  # written in other signs, as `/%761/`, it has no base
            raise Refused(404, "not_found", "There is no such path.")
        if (first(headers, b"upgrade") or b"").lower() == b"websocket":
            raise Refused(
                501, "no_websocket", "ACR does not relay WebSockets. Connect to the upstream itself."
            )

    async def serve(self, exchange: Exchange, scope: Message) -> None:
        client, headers, dialect = exchange.client, exchange.headers, exchange.dialect
        client.prepare()
        outgoing = self.keys.outgoing(headers, anthropic=is_anthropic(exchange))
        length = first(headers, b"content-length")
        body: Any = None
        if dialect is not None:
            body = await self.read(exchange, length)
            client.watch()
            try:
                whose = partial(self.keys.scope, headers)
                prepared = await self.refactorer.prepare(dialect, body, controls.of_headers(headers), whose)
            except controls.ControlError as error:
                raise Refused(400, "invalid_acr_control", f"{error}.") from None
            exchange.prepared = prepared
            if prepared.reply is not None:
                await reply(exchange, prepared.reply, dialect.reader(text=self.keep_text))
                return
            if prepared.body is not body:
                body = prepared.body
                outgoing = [one for one in outgoing if one[0] != b"content-length"]
        elif (length is not None and length != b"0") or first(headers, b"transfer-encoding") is not None:
            body = client.upload()
        else:
            client.watch()
        if self.lists_models(exchange):
            outgoing = [one for one in outgoing if one[0] != b"accept-encoding"]
        target = self.upstream.target(scope["raw_path"], scope["query_string"])
        self.upstream.calls += 1
        try:
            await self.relay(exchange, await self.upstream.open(exchange.method, target, outgoing, body))
        except UpstreamTimeout as error:
            exchange.error = str(error)
            raise Refused(504, "upstream_timeout", f"ACR: {error}.") from None
        except UpstreamError as error:
            exchange.error = str(error)
            raise Refused(502, "upstream_unreachable", f"ACR: {error}.") from None
        finally:
            self.upstream.calls -= 1

    async def read(self, exchange: Exchange, length: bytes | None) -> bytes:
        limit = Refused(
            413,
            "body_too_large",
            f"The request body is over {self.max_body_mb:g} MiB, the limit of this proxy (ACR_MAX_BODY_MB).",
            (b"connection", b"close"),
        )
        if length is not None and length.isdigit() and int(length) > self.max_body:
            raise limit
        try:
            return await exchange.client.body(self.max_body)
        except TooLarge:
            raise limit from None

    async def relay(self, exchange: Exchange, response: Connection) -> None:
        send, status = exchange.send, response.status
        exchange.first_byte = perf_counter()
        idle = self.idle
        try:
            if not 200 <= status <= 599:
                raise UpstreamError("the upstream answered with a status that is none")
            if exchange.dialect is not None:
                reader = exchange.dialect.reader(text=self.keep_text)
                exchange.monitor = monitor = Monitor(reader, response.headers)
            else:
                monitor = None
            empty = status in (204, 304) and exchange.method != "HEAD"
            headers = to_client(response.headers, self.own_headers(exchange, response), without_length=empty)
            exchange.status = status
            if (
                self.list_models
                and exchange.path == "/v1/models"
                and exchange.method == "GET"
                and status == 200
            ):
                await self.models(exchange, response, headers)
                return
            await send({"type": "http.response.start", "status": status, "headers": headers})
            while True:
                try:
                    chunk = await response.read() if idle is None else await patiently(response, idle)
                except TimeoutError:
                    chunk, exchange.error = b"", "the upstream fell silent"
                except ConnectionError:
                    chunk, exchange.error = b"", "the upstream broke off"
                if chunk:
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                    if monitor is not None:
                        monitor.add(chunk)
                elif exchange.error is None:
                    break
                if exchange.error is not None:
                    return  # without an end: the server closes the connection, and the client sees a break
            exchange.client.done()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self.upstream.done(response)

    def lists_models(self, exchange: Exchange) -> bool:
        return self.list_models and exchange.path == "/v1/models" and exchange.method == "GET"

    async def models(
        self, exchange: Exchange, response: Connection, headers: list[tuple[bytes, bytes]]
    ) -> None:
        """Answer with the upstream's list of models and ACR's names for them."""
        pieces = []
        try:
            while piece := await response.read():
                pieces.append(piece)
        except ConnectionError:
            exchange.status = 0
            raise UpstreamError("the upstream broke off") from None
        body = listed(b"".join(pieces))
        headers = [(key, value) for key, value in headers if key != b"content-length"]
        headers.append((b"content-length", b"%d" % len(body)))
        exchange.client.done()
        await exchange.send({"type": "http.response.start", "status": exchange.status, "headers": headers})
        await exchange.send({"type": "http.response.body", "body": body, "more_body": False})

    def own_headers(self, exchange: Exchange, response: Connection) -> list[tuple[bytes, bytes]]:
        own = []
        if exchange.own_id or REQUEST_ID not in [key.lower() for key, _ in response.headers]:
            own.append((REQUEST_ID, exchange.id))
        return own + acr_headers(exchange)

    def note(self, exchange: Exchange) -> Trace | None:
        """Keep the trace, if there is one. The client has its last byte by now."""
        if exchange.prepared is None or exchange.dialect is None:
            return None
        try:
            trace, weight = record(exchange, text=self.keep_text)
            outcome = exchange.prepared.outcome
            self.traces.add(trace, weight, outcome.signals if outcome is not None else None)
            conversation, answer = exchange.prepared.request.conversation, trace.answer
            if conversation is not None and answer and answer.digest and answer.entropy is not None:
                views = self.refactorer.engine.views.of(self.keys.scope(exchange.headers), [])
                self.entropies.note(conversation, answer.digest, answer.entropy, views)
            return trace
        except Exception as fault:
            log.error("no trace: %s", type(fault).__name__, exc_info=log.isEnabledFor(logging.DEBUG))
            return None


async def patiently(response: Connection, seconds: float) -> bytes:
    """The next bytes. Raises `TimeoutError` if none come within `seconds`."""
    async with asyncio.timeout(seconds):
        return await response.read()


def tell(exchange: Exchange) -> None:
    """Log what was done. Paths without their query: some people put keys there."""
    prepared = exchange.prepared
    acted = prepared is not None and prepared.verdict in ("intervened", "failed")
    level = logging.INFO if acted or exchange.error else logging.DEBUG
    if not log.isEnabledFor(level):
        return
    reason = prepared.reason if prepared else None
    failure = prepared.outcome.failure if prepared and prepared.outcome else None
    if prepared and isinstance(failure, ConfigError) and prepared.controls.controller is None:
        # names that stand in the settings; where the client named a controller, they may be anything
        reason = f"{reason}: {printable(str(failure)).decode()}"
    fields = {
        "request_id": exchange.id.decode(),
        "method": exchange.method,
        "path": printable(exchange.path).decode(),
        "status": exchange.status,
        "decision": prepared.verdict if prepared else "relayed",
        "reason": reason,
        "operator": prepared.outcome.decision.operator if prepared and prepared.outcome else None,
        "overhead_ms": round(prepared.seconds * 1000, 3) if prepared else None,
        "total_ms": round((perf_counter() - exchange.started) * 1000, 3),
        "error": exchange.error,
    }
    log.log(
        level,
        "%s %s %d %s in %.0f ms%s [%s]",
        fields["method"],
        fields["path"],
        exchange.status,
        f"{prepared.verdict} ({reason})" if prepared else "relayed",
        fields["total_ms"],
        f", {exchange.error}" if exchange.error else "",
        fields["request_id"],
        extra={FIELDS: {name: value for name, value in fields.items() if value is not None}},
    )
