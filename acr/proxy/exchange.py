"""One request on its way through the proxy, and what ACR itself says about it."""

import json
from dataclasses import dataclass, field
from time import perf_counter

from acr.dialects import Dialect, Reader, errors
from acr.dialects.answers import Written
from acr.errors import AcrError
from acr.proxy.client import Client, Send
from acr.proxy.headers import REQUEST_ID, Headers, first, printable
from acr.proxy.monitor import Monitor
from acr.proxy.refactor import Prepared


@dataclass(slots=True)
class Exchange:
    """One request and what became of it."""

    method: str
    path: str
    headers: Headers
    client: Client
    send: Send
    id: bytes
    own_id: bool
    """Whether the client gave `id`."""
    dialect: Dialect | None = None
    prepared: Prepared | None = None
    monitor: Monitor | None = None
    status: int = 0
    error: str | None = None
    started: float = field(default_factory=perf_counter)
    first_byte: float | None = None


class Refused(AcrError):
    """ACR answers itself. The message is for the client."""

    def __init__(self, status: int, code: str, message: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = headers


def is_anthropic(exchange: Exchange) -> bool:
    return (
        exchange.path.startswith("/v1/messages") or first(exchange.headers, b"anthropic-version") is not None
    )


DECIDED = ("intervened", "observed", "answered")
"""Verdicts that name an operator."""


def acr_headers(exchange: Exchange) -> list[tuple[bytes, bytes]]:
    """What ACR has to say about a request that it looked at."""
    prepared = exchange.prepared
    if prepared is None:
        return []
    headers = [(b"x-acr-decision", prepared.verdict.encode()), (b"x-acr-reason", printable(prepared.reason))]
    outcome = prepared.outcome
    if outcome is not None and prepared.verdict in DECIDED and outcome.decision.operator:
        headers.append((b"x-acr-operator", printable(outcome.decision.operator)))
    if outcome is not None and outcome.tokens is not None:
        headers.append((b"x-acr-tokens-before", b"%d" % outcome.tokens[0]))
        headers.append((b"x-acr-tokens-after", b"%d" % outcome.tokens[1]))
    if (bill := prepared.bill) is not None:
        headers.append((b"x-acr-auxiliary-prompt-tokens", b"%d" % bill[0]))
        headers.append((b"x-acr-auxiliary-completion-tokens", b"%d" % bill[1]))
    headers.append((b"x-acr-overhead-ms", b"%.3f" % (prepared.seconds * 1000)))
    headers.append((b"x-acr-trace", exchange.id))
    return headers


async def reply(exchange: Exchange, written: Written, reader: Reader) -> None:
    """Send an answer that no upstream was asked for, and let the monitor read it as any other."""
    exchange.status = 200
    exchange.first_byte = perf_counter()
    headers = [
        (b"content-type", written.content_type),
        (b"content-length", b"%d" % len(written.body)),
        (REQUEST_ID, exchange.id),
        *acr_headers(exchange),
    ]
    exchange.monitor = Monitor(reader, headers)
    exchange.client.done()
    await exchange.send({"type": "http.response.start", "status": 200, "headers": headers})
    await exchange.send({"type": "http.response.body", "body": written.body, "more_body": False})
    exchange.monitor.add(written.body)


async def answer(exchange: Exchange, refusal: Refused) -> None:
    """Send an answer of ACR's own."""
    if exchange.status:
        return
    shape = errors.anthropic if is_anthropic(exchange) else errors.openai
    body = json.dumps(shape(refusal.status, str(refusal), refusal.code), ensure_ascii=False).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (REQUEST_ID, exchange.id),
        *acr_headers(exchange),
        *refusal.headers,
    ]
    exchange.status = refusal.status
    exchange.client.done()
    await exchange.send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    sent = b"" if exchange.method == "HEAD" else body
    await exchange.send({"type": "http.response.body", "body": sent, "more_body": False})
