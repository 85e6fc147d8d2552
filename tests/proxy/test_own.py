"""ACR's own endpoints: health, status, traces."""

import json
from collections.abc import Callable

import pytest
from support.engines import engine
from support.http import send
from support.proxy import RunningProxy

Start = Callable[..., RunningProxy]


def test_health_and_status(proxy: RunningProxy) -> None:
    assert json.loads(send(proxy.port, "GET", "/livez").body) == {"status": "ok"}
    assert json.loads(send(proxy.port, "GET", "/readyz").body) == {"status": "ok"}
    status = json.loads(send(proxy.port, "GET", "/v1/acr/status").body)
    assert status["mode"] == "auto" and status["operators"] == ["broken", "fold", "insert", "lead"]
    assert status["open_requests"] == 0 and status["open_upstream_calls"] == 0 and status["workers"] == 1


def test_ready_asks_the_upstream(start: Start) -> None:
    proxy = start(engine(), "http://127.0.0.1:9/v1")
    answer = send(proxy.port, "GET", "/readyz")
    assert answer.status == 503 and "cannot be reached" in json.loads(answer.body)["status"]


@pytest.mark.parametrize("path", ["/", "/chat/completions", "/v1", "/v1/acr/none"])
def test_other_paths_say_where_to_go(proxy: RunningProxy, path: str) -> None:
    answer = send(proxy.port, "GET", path)
    told = json.loads(answer.body)["error"]["message"]
    assert answer.status == 404 and "/v1" in told and "/acr/" in told


def test_they_can_only_be_read(proxy: RunningProxy) -> None:
    answer = send(proxy.port, "DELETE", "/v1/acr/decisions")
    assert answer.status == 405 and "GET" in (answer.header("allow") or "")
    assert json.loads(answer.body)["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1001", "", "1" * 5000])
def test_a_limit_that_is_none_is_refused(proxy: RunningProxy, limit: str) -> None:
    answer = send(proxy.port, "GET", f"/v1/acr/decisions?limit={limit}")
    assert answer.status == 400 and json.loads(answer.body)["error"]["code"] == "invalid_limit"


@pytest.mark.parametrize("path", ["/v1/acr/status", "/v1/acr/decisions", "/v1/acr/decisions/x"])
def test_traces_and_status_need_the_key(start: Start, path: str) -> None:
    proxy = start(api_key="FAKE-key")
    assert send(proxy.port, "GET", path).status == 401
    assert send(proxy.port, "GET", path, headers=[("x-api-key", "FAKE-key")]).status in (200, 404)
    assert send(proxy.port, "GET", "/livez").status == 200


def test_a_missing_trace_says_that_workers_keep_their_own(start: Start) -> None:
    alone, one_of_two = start(), start(workers=2)
    for proxy, told in ((alone, False), (one_of_two, True)):
        answer = send(proxy.port, "GET", "/v1/acr/decisions/none")
        assert answer.status == 404
        assert ("Each of the 2 workers keeps its own" in json.loads(answer.body)["error"]["message"]) is told
