"""Against DNS rebinding, at the socket: pages under foreign names are refused, other programs are not."""

import json
from typing import Any

import pytest
from support.http import Answer, send
from support.upstream import ScriptedUpstream

CHAT = "/v1/chat/completions"
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]}).encode()
BROWSER = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
EVIL = "rebound.example:8300"


def call(proxy: Any, host: str, *headers: tuple[str, str], path: str = CHAT) -> Answer:
    method, body = ("POST", BODY) if path == CHAT or path == "/v1/messages" else ("GET", None)
    return send(proxy.port, method, path, body, [("host", host), *headers])


@pytest.mark.parametrize(
    "mark",
    [
        BROWSER,
        ("origin", "http://rebound.example:8300"),
        ("referer", "http://rebound.example:8300/"),
        ("sec-fetch-site", "same-origin"),
    ],
    ids=lambda mark: mark[0],
)
@pytest.mark.parametrize("path", [CHAT, "/v1/models", "/v1/acr/decisions", "/metrics", "/acr/", "/readyz"])
def test_a_page_under_a_foreign_name_gets_nothing(
    proxy: Any, upstream: ScriptedUpstream, mark: tuple[str, str], path: str
) -> None:
    answer = call(proxy, EVIL, mark, path=path)
    assert answer.status == 403 and upstream.received == []
    error = json.loads(answer.body)["error"]
    assert error["code"] == "host_not_allowed" and "ACR_ALLOWED_HOSTS" in error["message"]
    assert "rebound" not in answer.body.decode()


def test_it_is_told_in_the_shape_of_the_dialect(proxy: Any) -> None:
    error = json.loads(call(proxy, EVIL, BROWSER, path="/v1/messages").body)
    assert error["type"] == "error" and error["error"]["type"] == "permission_error"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8300",
        "127.0.0.1",
        "localhost:8300",
        "LOCALHOST.:8300",
        "acr.localhost:8300",
        "[::1]:8300",
        "127.3.2.1:1",
        "192.168.1.20:8300",
        "host.docker.internal:8300",
    ],
)
@pytest.mark.parametrize("path", [CHAT, "/v1/acr/decisions", "/acr/"])
def test_a_browser_may_call_it_by_what_nobody_could_have_made_to_point_here(
    proxy: Any, host: str, path: str
) -> None:
    assert call(proxy, host, BROWSER, ("origin", f"http://{host}"), path=path).status == 200


@pytest.mark.parametrize(
    "program",
    [
        [],
        [("user-agent", "OpenAI/Python 3.57.0")],
        [("user-agent", "curl/8.14.1")],
        [("user-agent", "node"), ("sec-fetch-mode", "cors"), ("accept-language", "*")],
    ],
    ids=["nothing", "openai", "curl", "node"],
)
def test_other_programs_may_use_any_name_but_not_for_what_others_said(proxy: Any, program: list) -> None:
    for host in ("acr.example", "gateway:8300", "host.docker.internal:8300"):
        assert call(proxy, host, *program).status == 200
    assert call(proxy, "acr.example", *program, path="/metrics").status == 200
    assert call(proxy, "acr.example", *program, path="/v1/acr/decisions").status == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost.example", 403),
        ("127.0.0.1.example", 403),
        ("x127.0.0.1", 403),
        ("local", 403),
        ("internal", 403),
        ("[::1].example:1", 403),
        ("rebound.example\xff", 403),
        ("", 200),
    ],
)
def test_what_only_looks_like_this_machine_is_foreign(proxy: Any, host: str, status: int) -> None:
    assert call(proxy, host, BROWSER).status == status


def test_names_can_be_allowed(start: Any) -> None:
    proxy = start(allowed_hosts="ACR.example., other.example")
    for host in ("acr.example:8300", "other.example"):
        assert call(proxy, host, BROWSER, path="/v1/acr/decisions").status == 200
    assert call(proxy, EVIL, BROWSER).status == 403
    assert call(start(allowed_hosts="*"), EVIL, BROWSER).status == 200


def test_a_key_takes_its_place(start: Any) -> None:
    proxy = start(api_key="K-1")
    assert call(proxy, EVIL, BROWSER).status == 401
    assert call(proxy, EVIL, BROWSER, ("authorization", "Bearer K-1")).status == 200


def test_pages_of_allowed_origins_call_it_by_its_own_name(start: Any) -> None:
    proxy = start(cors_origins="https://app.example")
    assert call(proxy, "127.0.0.1:8300", BROWSER, ("origin", "https://app.example")).status == 200
    assert call(proxy, EVIL, BROWSER, ("origin", "https://app.example")).status == 403
