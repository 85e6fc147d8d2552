"""Pages in a browser: relayed as they are unless origins are named, answered here if so."""

import json
from collections.abc import Callable

import pytest
from support.http import Answer, send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream, completion

Start = Callable[..., RunningProxy]
PAGE = "https://app.example"
WANTED = [
    ("access-control-request-method", "POST"),
    ("access-control-request-headers", "authorization,x-acr-mode"),
]


def preflight(proxy: RunningProxy, origin: str = PAGE, path: str = "/v1/chat/completions") -> Answer:
    return send(proxy.port, "OPTIONS", path, headers=[("origin", origin), *WANTED])


def ask(proxy: RunningProxy, origin: str = PAGE) -> Answer:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]}).encode()
    return send(proxy.port, "POST", "/v1/chat/completions", body, [("origin", origin)])


def test_off_all_of_it_is_the_upstream_s_affair(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    headers = [("access-control-allow-origin", "https://theirs.example")]
    upstream.answer(Reply.of_json(completion()), Reply([b""], 204, headers))
    assert ask(proxy).header("access-control-allow-origin") is None
    answer = preflight(proxy)
    assert answer.status == 204 and answer.header("access-control-allow-origin") == "https://theirs.example"
    assert upstream.received[-1].method == "OPTIONS" and upstream.received[-1].header("origin") == PAGE


@pytest.mark.parametrize("origins", [PAGE, f"https://other.example, {PAGE}/", "*"])
def test_a_preflight_ends_here_and_needs_no_key(
    start: Start, upstream: ScriptedUpstream, origins: str
) -> None:
    proxy = start(cors_origins=origins, api_key="FAKE-key")
    for path in ("/v1/chat/completions", "/v1/acr/status"):
        answer = preflight(proxy, path=path)
        assert answer.status == 200 and not upstream.received
        assert answer.header("access-control-allow-origin") == PAGE and answer.header("vary") == "Origin"
        assert answer.header("access-control-allow-methods") == "POST"
        assert answer.header("access-control-allow-headers") == "authorization,x-acr-mode"
        assert answer.header("access-control-allow-credentials") is None


def test_another_page_is_not_let_in(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(cors_origins=PAGE)
    refused = preflight(proxy, "https://evil.example")
    assert refused.status == 403 and refused.header("access-control-allow-origin") is None
    assert not upstream.received
    assert ask(proxy, "https://evil.example").header("access-control-allow-origin") is None


def test_the_page_may_read_the_answer_and_its_headers(start: Start, upstream: ScriptedUpstream) -> None:
    upstream.answer(
        Reply([b"{}"], 200, [("access-control-allow-origin", "https://theirs.example"), ("x-odd", "1")])
    )
    answer = ask(start(cors_origins=PAGE))
    assert answer.all("access-control-allow-origin") == [PAGE] and answer.body == b"{}"
    exposed = (answer.header("access-control-expose-headers") or "").split(", ")
    assert {"x-acr-decision", "x-acr-trace", "x-odd", "x-request-id"} <= set(exposed)


def test_a_refusal_can_be_read_too(start: Start) -> None:
    answer = ask(start(cors_origins=PAGE, api_key="FAKE-key"))
    assert answer.status == 401 and answer.header("access-control-allow-origin") == PAGE


def test_what_comes_from_no_page_is_as_it_was(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(cors_origins=PAGE)
    assert "access-control-allow-origin" not in dict(send(proxy.port, "GET", "/v1/models").headers)
    send(proxy.port, "OPTIONS", "/v1/models", headers=[("origin", PAGE)])
    assert upstream.received[-1].method == "OPTIONS"  # not a preflight
