"""Bounds on time and place: what the upstream may take, and that nobody chooses another."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from support.http import send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream

Start = Callable[..., RunningProxy]
BODY = b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'


@pytest.fixture
def deaf() -> Iterator[int]:
    """A port that is listened on, but where nobody takes a connection and no more fit into the queue."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        port: int = server.getsockname()[1]
        for _ in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", port))
        yield port


def test_a_connection_that_does_not_come_about_is_given_up(start: Start, deaf: int) -> None:
    proxy = start(url=f"http://127.0.0.1:{deaf}/v1", connect_timeout=0.3)
    begun = time.monotonic()
    answer = send(proxy.port, "POST", "/v1/chat/completions", BODY)
    assert answer.status == 504 and time.monotonic() - begun < 5
    assert json.loads(answer.body)["error"]["code"] == "upstream_timeout"
    assert str(deaf) not in answer.body.decode()


def test_the_three_limits_are_apart(start: Start, upstream: ScriptedUpstream) -> None:
    """A short limit on connecting and on silence is none on thinking before the first byte, and so on."""
    upstream.answer(Reply([b"a", b"b"], delay=0.6, delays=[0, 0.1]))
    proxy = start(connect_timeout=0.2, idle_timeout=0.4)
    assert send(proxy.port, "POST", "/v1/chat/completions", BODY).body == b"ab"
    upstream.answer(Reply([b"a", b"b"], delays=[0, 0.6]))
    proxy = start(connect_timeout=0.2, first_byte_timeout=0.4)
    assert send(proxy.port, "POST", "/v1/chat/completions", BODY).body == b"ab"


@pytest.mark.parametrize(
    "head",
    [
        "GET http://evil.example/v1/models HTTP/1.1\r\nhost: evil.example",
        "GET /v1/models HTTP/1.1\r\nhost: evil.example",
        "GET /v1/models HTTP/1.1\r\nhost: x\r\nx-forwarded-host: evil.example\r\nforwarded: host=evil.example",
        "GET //evil.example/v1/models HTTP/1.1\r\nhost: x",
        "GET /v1//evil.example/models HTTP/1.1\r\nhost: x",
        "GET /v1@evil.example/models HTTP/1.1\r\nhost: x",
        "GET /v1/%2e%2e/%2e%2e/etc HTTP/1.1\r\nhost: x",
        "GET /%76%31/models HTTP/1.1\r\nhost: x",
        "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example",
    ],
)
def test_no_request_chooses_another_host(proxy: RunningProxy, upstream: ScriptedUpstream, head: str) -> None:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=10) as connection:
        connection.sendall(f"{head}\r\nconnection: close\r\n\r\n".encode())
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    status = int(answer.split(b" ")[1])
    assert status == 200 or 400 <= status < 500, answer
    for received in upstream.received:  # all that went anywhere went to the one upstream, below its base
        assert received.header("host") == f"127.0.0.1:{upstream.port}"
        assert received.target.startswith("/v1/") and "/.." not in received.target


def test_errors_of_every_kind_hold_nothing_of_the_upstream(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(max_body_mb=0.001, max_header_kb=1, first_byte_timeout=0.2, api_key="FAKE-key")
    key = ("x-api-key", "FAKE-key")
    big = [("x-big", "y" * 2000)]
    replies = {502: Reply(disconnect=True), 504: Reply(silent=True)}
    seen = set()
    for body, headers, status in (
        (BODY, [], 401),
        (BODY * 100, [key], 413),
        (BODY, [key, *big], 431),
        (BODY, [key, ("x-acr-mode", "loud")], 400),
        (b"", [key, ("upgrade", "websocket"), ("connection", "upgrade")], 501),
        (BODY, [key], 502),
        (BODY, [key], 504),
    ):
        upstream.answer(replies.get(status, Reply()))
        for path in ("/v1/chat/completions", "/v1/messages"):
            answer = send(proxy.port, "POST", path, body, headers)
            assert answer.status == status and json.loads(answer.body)["error"]["message"]
            assert str(upstream.port) not in answer.body.decode() + str(answer.headers)
            assert "FAKE-key" not in answer.body.decode() and "Traceback" not in answer.body.decode()
            seen.add(status)
    assert seen == {400, 401, 413, 431, 501, 502, 504}


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "POST"])
def test_nothing_is_tried_again(proxy: RunningProxy, upstream: ScriptedUpstream, method: str) -> None:
    """Not even where a kept connection breaks under a method that is said to be safe to repeat."""
    body = b"x" if method in ("PUT", "POST") else None
    upstream.answer(Reply([b"{}"]), Reply(disconnect=True), Reply([b"{}"]))
    assert send(proxy.port, method, "/v1/things", body).status == 200
    assert send(proxy.port, method, "/v1/things", body).status == 502
    assert len(upstream.received) == 2
