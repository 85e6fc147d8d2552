"""Two instances and one Redis: what one has made the other goes on from, and no client another's."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from math import log
from typing import Any

import pytest
from acr_benchmarks.reliability.dialogues import HELPER, digest, messages, state
from acr_benchmarks.reliability.redis_server import RedisServer, installed
from support.http import Answer, send
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream, completion

from acr import registry
from acr.engine import Engine
from acr.errors import ConfigError
from acr.proxy.app import create_app
from acr.settings import Settings

CHAT = "/v1/chat/completions"
PATIENT = {"views_timeout": 1.0}
"""A loaded machine may need more than the default for a healthy server."""


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    if not installed():
        pytest.skip("no redis-server (Debian: apt install redis-server)")
    pytest.importorskip("redis", reason="the client of the extra 'redis' is not installed")
    with RedisServer() as running:
        yield running


def model(request: Received) -> Reply:
    if not request.body:
        return Reply.of_json({"object": "list", "data": []})
    asked = request.json
    text = state(asked["messages"][1]["content"]) if asked["model"] == HELPER else digest(asked["messages"])
    return Reply.of_json(completion(text))


@pytest.fixture
def server() -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream(model) as running:
        yield running


def helped(server: ScriptedUpstream) -> int:
    """Calls of the auxiliary model."""
    return sum(received.json["model"] == HELPER for received in server.received if received.body)


def ask(proxy: RunningProxy, said: list[dict[str, Any]], key: str = "", **more: Any) -> Answer:
    body = json.dumps({"model": "m", "messages": said, **more}).encode()
    headers = [("content-type", "application/json"), *([("authorization", f"Bearer {key}")] if key else [])]
    return send(proxy.port, "POST", CHAT, body, headers)


def until(check: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not check():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def kept(redis_server: RedisServer, number: int) -> Callable[[], bool]:
    return lambda: redis_server.command("DBSIZE") >= b":%d" % number


def traced(proxy: RunningProxy, answer: Answer) -> list[str]:
    """What the trace of an answer tells of views; it is there soon after the last byte."""
    path = f"/v1/acr/decisions/{answer.header('x-acr-trace')}"
    until(lambda: send(proxy.port, "GET", path).status == 200)
    views: list[str] = json.loads(send(proxy.port, "GET", path).body)["views"]
    return views


def pair(stack: ExitStack, server: ScriptedUpstream, url: str, **more: Any) -> list[RunningProxy]:
    given = {"auxiliary_model": HELPER, "controller": "always:abstract", "views": url, **PATIENT, **more}
    return [stack.enter_context(RunningProxy(server.url, **given)) for _ in range(2)]


def test_a_state_made_once_serves_both(server: ScriptedUpstream, redis_server: RedisServer) -> None:
    with ExitStack() as stack:
        first, second = pair(stack, server, redis_server.url)
        made = ask(first, messages(1, 8))
        assert made.header("x-acr-decision") == "intervened", made.header("x-acr-reason")
        assert traced(first, made) == ["miss"] and helped(server) == 1
        until(kept(redis_server, 1))
        found = ask(second, messages(1, 9))
        assert found.header("x-acr-decision") == "intervened" and helped(server) == 1
        assert traced(second, found) == ["hit"]
        one, other = (received.json["messages"] for received in server.received[1:])
        assert other[: len(one)] == one, "the second instance sent another beginning"


def test_large_requests_are_shared_too(server: ScriptedUpstream, redis_server: RedisServer) -> None:
    """They are read in a thread with a loop of its own."""
    with ExitStack() as stack:
        first, second = pair(stack, server, redis_server.url, deadline=60.0)
        large = "And here is what we did last year. " * 3000
        for proxy, turns in ((first, 8), (second, 9)):
            said = messages(2, turns)
            said[-1] = {"role": "user", "content": said[-1]["content"] + " " + large}
            assert ask(proxy, said).header("x-acr-decision") == "intervened"
            until(kept(redis_server, 1))
        assert helped(server) == 1


def test_clients_do_not_share(server: ScriptedUpstream, redis_server: RedisServer) -> None:
    with ExitStack() as stack:
        first, second = pair(stack, server, redis_server.url, api_key="K-1,K-2")
        ask(first, messages(3, 8), "K-1")
        until(kept(redis_server, 1))
        ask(second, messages(3, 8), "K-2")
        assert helped(server) == 2
        ask(second, messages(3, 8), "K-1")
        assert helped(server) == 2


def test_what_stands_there_is_no_text_s_key_and_no_key_s_text(
    server: ScriptedUpstream, redis_server: RedisServer
) -> None:
    with ExitStack() as stack:
        first, _ = pair(stack, server, redis_server.url, api_key="K-1")
        ask(first, messages(4, 8), "K-1")
        until(kept(redis_server, 1))
        name = redis_server.command("RANDOMKEY")
        assert name == b"$73", "acr:view: and 64 hexadecimal digits"


def test_how_unsure_the_model_was_is_shared(redis_server: RedisServer) -> None:
    answers = iter(
        [
            ("Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10.", 2),
            ("Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8.", 4),
            ("So Kyle has 48, and Leigh has 16.", 4),
        ]
    )
    asked = ["How many shells did Leigh find?", "Mimi found 24.", "Kyle found twice as many as Mimi."]

    def unsure(request: Received) -> Reply:
        text, count = next(answers)
        body = completion(text)
        alternatives = [{"logprob": -log(count)} for _ in range(count)]
        body["choices"][0]["logprobs"] = {"content": [{"token": "x", "top_logprobs": alternatives}]}
        return Reply.of_json(body)

    with ScriptedUpstream(unsure) as upstream, ExitStack() as stack:
        engine = Engine(registry.controller("entropy:0.5"), registry.operators())
        proxies = [
            stack.enter_context(RunningProxy(upstream.url, engine, views=redis_server.url, **PATIENT))
            for _ in range(2)
        ]
        said: list[dict[str, Any]] = []
        reasons = []
        for number, text in enumerate(asked):
            said.append({"role": "user", "content": text})
            answer = ask(proxies[number % 2], said, logprobs=True, top_logprobs=4)
            reasons.append(answer.header("x-acr-reason"))
            said.append(json.loads(answer.body)["choices"][0]["message"])
            until(kept(redis_server, number + 1))
        assert reasons[1] == "the entropy of one answer only is known", "it came from the other instance"
        assert reasons[2] == "entropy rose by 0.69 nats from one answer to the next"


def test_a_redis_that_was_never_there_is_told_and_harms_nobody(server: ScriptedUpstream) -> None:
    gone = RedisServer()
    with ExitStack() as stack:
        first, _ = pair(stack, server, f"redis://:p4ssw0rd@127.0.0.1:{gone.port}/0")
        assert ask(first, messages(5, 8)).header("x-acr-decision") == "intervened"
        ready = send(first.port, "GET", "/readyz")
        assert ready.status == 200
        told = json.loads(ready.body)
        assert told["status"] == "ok" and "redis cannot be asked" in told["degraded"]["views"]
        metrics = send(first.port, "GET", "/metrics").body.decode()
        assert "acr_view_store_up 0.0" in metrics and 'acr_view_store_failures_total{error="' in metrics
        assert "p4ssw0rd" not in metrics + ready.body.decode() and str(gone.port) not in ready.body.decode()


def test_memory_is_the_default_and_redis_is_not_imported() -> None:
    program = (
        "import sys\n"
        "from acr.proxy.app import create_app\nfrom acr.settings import Settings\n"
        "create_app(Settings(upstream='http://127.0.0.1:9/v1'))\n"
        "print('redis' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    monkeypatch.delitem(sys.modules, "acr.viewstore.redis", raising=False)
    settings = Settings.load(upstream="http://127.0.0.1:9/v1", views="redis://127.0.0.1:6379/0")
    with pytest.raises(ConfigError, match=r"adaptive-context-refactoring\[redis\]"):
        create_app(settings)


@pytest.mark.parametrize(
    "wrong", ["127.0.0.1:6379", "http://127.0.0.1", "redis://", "redis://h:x", "unix://"]
)
def test_an_address_that_is_none_is_refused_and_not_shown(wrong: str) -> None:
    with pytest.raises(ConfigError, match="'views' given: must be a URL") as told:
        Settings.load(upstream="http://127.0.0.1:9/v1", views=wrong)
    assert wrong not in str(told.value).replace("redis://127.0.0.1:6379/0, rediss://… or unix://…", "")
