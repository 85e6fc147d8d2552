"""The relay, really started, between a client and an upstream on raw sockets."""

import gzip
import json
import os
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
from support.engines import engine
from support.http import Answer, send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream, completion, deltas

Start = Callable[..., RunningProxy]
CHAT = "/v1/chat/completions"
JSON = [("content-type", "application/json")]
DIALOGUE = (
    b'{"model":"m","seed":9007199254740993, "top_p":1e-07, "messages":[{"role":"user","content":"one"},'
    b' {"role":"assistant","content":"a\\u00e9","x":1.0},{"role":"user","content":"two \\u00e4"}],'
    b'"stop":["#"]}'
)


def post(proxy: RunningProxy, body: bytes = DIALOGUE, *headers: tuple[str, str], path: str = CHAT) -> Answer:
    return send(proxy.port, "POST", path, body, [*JSON, *headers])


def trace(proxy: RunningProxy, answer: Answer) -> dict[str, Any]:
    """The trace is there soon after the last byte, not before it."""
    for _ in range(200):
        found = send(proxy.port, "GET", f"/v1/acr/decisions/{answer.header('x-acr-trace')}")
        if found.status == 200:
            read: dict[str, Any] = json.loads(found.body)
            return read
        time.sleep(0.01)
    raise AssertionError("no trace")


# --- what is not touched


@pytest.mark.parametrize(
    "body",
    [
        DIALOGUE,
        b'{"messages":[{"role":"user","content":"hi"}]}',
        b'{"messages":[{"role":"user","content":"hi"}],"messages":[]}',
        b'{"model":"m","messages":[{"role":"user","content":"half \\ud83d"}]}',
        b'{"messages":[{"role":"user","content":"a\\u0000b"}]}',
        b'{"messages":[],"n":2}',
        b'{"model":"m", x}',
        b"[1,2]",
        b'"text"',
        b"",
        b"\xff\xfe\x00",
    ],
)
def test_bytes_of_a_request_that_is_left_alone(
    proxy: RunningProxy, upstream: ScriptedUpstream, body: bytes
) -> None:
    answer = post(proxy, body)
    assert answer.status == 200 and answer.header("x-acr-decision") == "none"
    (received,) = upstream.received
    assert received.body == body and received.target == CHAT and received.method == "POST"


def test_headers_both_ways(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    headers = [("set-cookie", "a=1"), ("set-cookie", "b=2"), ("server", "theirs"), ("retry-after", "17")]
    upstream.answer(Reply([b"{}"], headers=headers))
    answer = post(
        proxy,
        DIALOGUE,
        ("authorization", "Bearer sk-client"),
        ("user-agent", "test/1"),
        ("accept-encoding", "br"),
        ("openai-organization", "org"),
        ("cookie", "c=1"),
    )
    (received,) = upstream.received
    assert sorted(name.lower() for name, _ in received.headers) == [
        *("accept-encoding", "authorization", "content-length", "content-type", "cookie", "host"),
        *("openai-organization", "user-agent"),
    ]
    assert received.header("authorization") == "Bearer sk-client"
    assert received.header("host") == f"127.0.0.1:{upstream.port}"
    assert answer.all("set-cookie") == ["a=1", "b=2"]
    assert answer.all("server") == ["theirs"] and answer.header("retry-after") == "17"
    assert answer.header("date") is None


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
@pytest.mark.parametrize("stream", [False, True])
def test_errors_of_the_upstream_are_its_own(
    proxy: RunningProxy, upstream: ScriptedUpstream, status: int, stream: bool
) -> None:
    body = b'{"error":  {"message":"slow down"}}'
    upstream.answer(Reply([body], status, [*JSON, ("retry-after", "17"), ("x-should-retry", "false")]))
    sent = DIALOGUE.replace(b'"seed"', b'"stream":true,"seed"') if stream else DIALOGUE
    answer = post(proxy, sent)
    assert (answer.status, answer.body, answer.header("retry-after")) == (status, body, "17")
    assert answer.header("x-should-retry") == "false" and len(upstream.received) == 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_stream_comes_through_byte_for_byte_and_as_it_comes(
    proxy: RunningProxy, upstream: ScriptedUpstream, end: bytes
) -> None:
    text = json.dumps(deltas("今天", "x")[1], ensure_ascii=False).encode()
    whole = b": hello" + end * 2 + b"data:" + text + end * 2 + b"event: e" + end + b"data: {}" + end * 2
    at = whole.index("天".encode()) + 1
    chunks = [whole[:at], whole[at : at + 1], whole[at + 1 :], b"data: [DONE]" + end * 2]
    upstream.answer(Reply(chunks, headers=[("content-type", "text/event-stream")], delays=[0, 0.1, 0.1, 0.3]))
    answer = post(proxy, DIALOGUE)
    assert answer.body == b"".join(chunks) and answer.end == "clean"
    assert answer.arrivals[0][0] < answer.finished - 0.4
    (choice,) = trace(proxy, answer)["answer"]["choices"]
    assert choice["text"] == "今天"


def test_an_event_of_several_megabytes(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    big = b"data: " + b"x" * (3 << 20) + b"\n\n"
    upstream.answer(Reply([big, b"data: [DONE]\n\n"], headers=[("content-type", "text/event-stream")]))
    assert post(proxy).body == big + b"data: [DONE]\n\n"


def test_packed_answers_stay_packed(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    packed = gzip.compress(json.dumps(completion("packed")).encode())
    upstream.answer(Reply([packed], headers=[*JSON, ("content-encoding", "gzip")]))
    answer = post(proxy, DIALOGUE, ("accept-encoding", "gzip"))
    assert answer.body == packed and answer.header("content-encoding") == "gzip"
    assert answer.header("content-length") == str(len(packed))
    assert trace(proxy, answer)["answer"]["choices"][0]["text"] == "packed"


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("GET", "/v1/models?limit=2&a=%2F%20b&c", None),
        ("GET", "/v1/models/org%2Fname", None),
        ("HEAD", "/v1/models", None),
        ("OPTIONS", "/v1/chat/completions", None),
        ("GET", "/v1/chat/completions", None),
        ("DELETE", "/v1/files/file-1", None),
        ("POST", "/v1/embeddings", b'{"input":["a", "b"],  "x":1e-07}'),
        ("POST", "/v1/files/f/cancel", b""),
        ("PUT", "/v1/thing", os.urandom(70_000)),
        ("PATCH", "/v1/thing", b"x"),
        ("POST", "/v1/audio/transcriptions", [b"--b\r\n", os.urandom(300_000), b"\r\n--b--"]),
    ],
)
def test_everything_else_is_relayed(
    proxy: RunningProxy,
    upstream: ScriptedUpstream,
    method: str,
    target: str,
    body: bytes | list[bytes] | None,
) -> None:
    upstream.answer(Reply([b"\x00\xffbinary"], headers=[("content-type", "application/octet-stream")]))
    answer = send(proxy.port, method, target, body, [("content-type", "multipart/form-data; boundary=b")])
    assert answer.status == 200 and answer.header("x-acr-decision") is None
    assert answer.body == (b"" if method == "HEAD" else b"\x00\xffbinary")
    (received,) = upstream.received
    assert (received.method, received.target) == (method, target)
    assert received.body == (b"".join(body) if isinstance(body, list) else body or b"")


@pytest.mark.parametrize("status", [204, 304])
def test_answers_without_a_body(proxy: RunningProxy, upstream: ScriptedUpstream, status: int) -> None:
    upstream.answer(Reply(status=status, headers=[("etag", "x")]))
    answer = send(proxy.port, "GET", "/v1/models")
    assert answer.status == status and answer.header("etag") == "x" and answer.end == "clean"


def test_redirects_are_the_client_s_affair(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply([b""], 307, [("location", "http://elsewhere.example/v1/x")]))
    answer = send(proxy.port, "GET", "/v1/x")
    assert answer.status == 307 and answer.header("location") == "http://elsewhere.example/v1/x"
    assert len(upstream.received) == 1


def test_a_body_in_chunks_and_one_that_waits_for_100_continue(
    proxy: RunningProxy, upstream: ScriptedUpstream
) -> None:
    send(proxy.port, "POST", CHAT, [DIALOGUE[:50], DIALOGUE[50:]], JSON)
    send(proxy.port, "POST", CHAT, DIALOGUE, [*JSON, ("expect", "100-continue")])
    assert [received.body for received in upstream.received] == [DIALOGUE, DIALOGUE]
    assert [received.header("expect") for received in upstream.received] == [None, None]
    assert [received.header("content-length") for received in upstream.received] == [str(len(DIALOGUE))] * 2


def test_large_bodies_pass_and_too_large_ones_are_told_the_limit(
    start: Start, upstream: ScriptedUpstream
) -> None:
    proxy = start(max_body_mb=31)
    image = b'{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"'
    body = image + b"QUJD" * (30 * 1024 * 256) + b'"}}]}]}'
    assert post(proxy, body).status == 200 and upstream.received[0].body == body
    for refused in (
        post(proxy, body + b" " * (1 << 20)),
        send(proxy.port, "POST", CHAT, [body, b" " * (1 << 20)]),
    ):
        assert refused.status == 413
        assert "31 MiB" in json.loads(refused.body)["error"]["message"]
    assert len(upstream.received) == 1


# --- what is changed


@pytest.mark.parametrize("operator", ["lead", "fold"])
def test_an_intervention_changes_messages_only(
    proxy: RunningProxy, upstream: ScriptedUpstream, operator: str
) -> None:
    answer = post(proxy, DIALOGUE, ("x-acr-operator", operator))
    (received,) = upstream.received
    before, after = DIALOGUE.split(b'"messages":'), received.body.split(b'"messages":')
    assert before[0] == after[0] and after[1].endswith(b'],"stop":["#"]}')
    assert received.header("content-length") == str(len(received.body))
    assert received.header("x-acr-operator") is None
    assert received.json["messages"][-1]["content"].endswith("two ä")
    assert answer.header("x-acr-decision") == "intervened" and answer.header("x-acr-operator") == operator
    assert int(answer.header("x-acr-tokens-before") or 0) > 0 < int(answer.header("x-acr-tokens-after") or 0)
    assert float(answer.header("x-acr-overhead-ms") or -1) >= 0
    kept = trace(proxy, answer)
    assert kept["applied"] and kept["operator"] == operator and kept["view"] == received.json["messages"]
    assert kept["messages"] == json.loads(DIALOGUE)["messages"]


def test_a_whole_turn_can_be_put_in_where_the_client_does_not_alternate(
    proxy: RunningProxy, upstream: ScriptedUpstream
) -> None:
    body = DIALOGUE.replace(b"assistant", b"user")
    assert post(proxy, body, ("x-acr-operator", "insert")).header("x-acr-decision") == "intervened"
    assert upstream.received[0].body == body.replace(
        b',{"role":"user","content":"two',
        b', {"role":"user","content":"a \\"quoted\\" line\\n"},{"role":"user","content":"two',
    )


def test_the_field_acr_does_the_same_and_does_not_go_upstream(
    proxy: RunningProxy, upstream: ScriptedUpstream
) -> None:
    body = DIALOGUE.replace(b'"stop"', b'"acr":{"operator":"lead"},"stop"')
    assert post(proxy, body).header("x-acr-operator") == "lead"
    assert upstream.received[0].body == DIALOGUE.replace(b'"two', b'"[note] two')


def test_observing_reports_and_changes_nothing(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    answer = post(proxy, DIALOGUE, ("x-acr-operator", "lead"), ("x-acr-mode", "observe"))
    assert upstream.received[0].body == DIALOGUE
    assert answer.header("x-acr-decision") == "observed" and answer.header("x-acr-operator") == "lead"
    assert trace(proxy, answer)["applied"] is False


@pytest.mark.parametrize("control", [("x-acr-mode", "off"), ("x-acr-bypass", "1")])
def test_a_client_may_say_no(
    proxy: RunningProxy, upstream: ScriptedUpstream, control: tuple[str, str]
) -> None:
    answer = post(proxy, DIALOGUE, ("x-acr-operator", "lead"), control)
    assert upstream.received[0].body == DIALOGUE and answer.header("x-acr-decision") == "bypassed"
    assert answer.header("x-acr-operator") is None


def test_a_proxy_that_is_off_reads_nothing(start: Start, upstream: ScriptedUpstream) -> None:
    answer = post(start(engine("lead"), mode="off"))
    assert upstream.received[0].body == DIALOGUE and answer.header("x-acr-reason") == "mode is off"


def test_the_controller_decides_where_nothing_is_forced(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(engine("lead"))
    assert post(proxy).header("x-acr-reason") == "as the test wants it"
    assert upstream.received[0].json["messages"][-1]["content"] == "[note] two ä"
    assert post(proxy, DIALOGUE, ("x-acr-controller", "never")).header("x-acr-decision") == "none"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (("x-acr-operator", "fix"), "known: broken, fold, insert, lead"),
        (("x-acr-mode", "on"), "known: off, observe, auto"),
        (("x-acr-controller", "luck"), "known: always"),
    ],
)
def test_asking_for_what_there_is_not_is_a_400(
    proxy: RunningProxy, upstream: ScriptedUpstream, header: tuple[str, str], message: str
) -> None:
    answer = post(proxy, DIALOGUE, header)
    error = json.loads(answer.body)["error"]
    assert answer.status == 400 and message in error["message"] and error["type"] == "invalid_request_error"
    assert upstream.received == []


def test_a_broken_operator_costs_nothing(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    answer = post(proxy, DIALOGUE, ("x-acr-operator", "broken"))
    assert answer.status == 200 and upstream.received[0].body == DIALOGUE
    assert answer.header("x-acr-decision") == "failed"
    assert answer.header("x-acr-reason") == "failed open: OperatorError"
    kept = trace(proxy, answer)
    assert kept["failure"] == "OperatorError" and "secret" not in json.dumps(kept)


def test_an_edit_that_the_body_cannot_hold_costs_nothing(
    proxy: RunningProxy, upstream: ScriptedUpstream
) -> None:
    body = DIALOGUE.replace(b'"content":"two', b'"content":"zero","content":"two')
    answer = post(proxy, body, ("x-acr-operator", "lead"))
    assert upstream.received[0].body == body and answer.header("x-acr-decision") == "failed"


def test_lone_surrogates_survive_an_intervention(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    body = DIALOGUE.replace(b"two", b"half \\ud83d").replace(b'"one"', b'"old \\udcb0"')
    answer = post(proxy, body, ("x-acr-operator", "fold"))
    assert answer.status == 200
    content = upstream.received[0].json["messages"][-1]["content"]
    assert content == "old \ufffd\n\nhalf \ud83d ä"
    assert trace(proxy, answer)["messages"][0]["content"] == "old \udcb0"


# --- ids and traces


def test_request_ids(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply([b"{}"], headers=[("x-request-id", "req_theirs")]))
    given = post(proxy, DIALOGUE, ("x-request-id", "mine-1"))
    assert given.all("x-request-id") == ["mine-1"] and given.header("x-upstream-request-id") == "req_theirs"
    assert given.header("x-acr-trace") == "mine-1"
    assert upstream.received[0].header("x-request-id") == "mine-1"
    none = post(proxy, DIALOGUE)
    assert none.all("x-request-id") == ["req_theirs"] and (none.header("x-acr-trace") or "").startswith(
        "acr-"
    )
    odd = post(proxy, DIALOGUE, ("x-request-id", "../../etc <script>"))
    assert (odd.header("x-acr-trace") or "").startswith("acr-")
    upstream.answer(Reply([b"{}"]))
    assert (post(proxy, DIALOGUE).header("x-request-id") or "").startswith("acr-")


def test_no_text_is_kept_unless_asked_for(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(engine("fold"))
    body = DIALOGUE.replace(b"one", b"my diagnosis")
    upstream.answer(Reply.of_json(completion("you are well")))
    answer = post(proxy, body)
    kept = trace(proxy, answer)
    assert "diagnosis" not in json.dumps(kept) and "well" not in json.dumps(kept)
    assert kept["answer"]["usage"]["total_tokens"] == 10 and kept["edits"][0] == {"edit": "drop", "turn": "0"}


def test_decisions_are_listed_newest_first(start: Start) -> None:
    proxy = start()
    ids = [post(proxy).header("x-acr-trace") for _ in range(3)]
    listed = json.loads(send(proxy.port, "GET", "/v1/acr/decisions?limit=2").body)["data"]
    assert [row["id"] for row in listed] == ids[:0:-1]
    missing = send(proxy.port, "GET", "/v1/acr/decisions/none")
    assert missing.status == 404 and json.loads(missing.body)["error"]["code"] == "not_found"


# --- refusals


def test_keys(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(api_key="acr-key-1,acr-key-2", upstream_key="sk-up")
    for path in (CHAT, "/v1/models", "/v1/acr/decisions", "/v1/acr/decisions/x", "/v1/acr/status"):
        method = "POST" if path == CHAT else "GET"
        refused = send(
            proxy.port, method, path, b"{}" if path == CHAT else None, [("authorization", "Bearer no")]
        )
        assert refused.status == 401 and json.loads(refused.body)["error"]["code"] == "invalid_api_key"
    assert upstream.received == []
    assert post(proxy, DIALOGUE, ("authorization", "Bearer acr-key-2")).status == 200
    assert post(proxy, DIALOGUE, ("x-api-key", "acr-key-1")).status == 200
    assert {r.header("authorization") for r in upstream.received} == {"Bearer sk-up"}
    assert not any("acr-key" in value for r in upstream.received for _, value in r.headers)
    assert send(proxy.port, "GET", "/livez").status == 200


def test_a_key_in_the_environment_never_replaces_the_client_s(
    monkeypatch: pytest.MonkeyPatch, start: Start, upstream: ScriptedUpstream
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "ENV-KEY")
    post(start(), DIALOGUE, ("authorization", "Bearer sk-client"))
    assert upstream.received[0].header("authorization") == "Bearer sk-client"


def test_no_request_leaves_the_base_path(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    for path in ("/v1/../admin", "/v1/x/%2e%2e/y", "/v1/.", "/v2/x", "/chat/completions"):
        assert send(proxy.port, "GET", path).status == 404
    assert upstream.received == []


def test_websockets_are_answered_clearly(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    headers = [("connection", "Upgrade"), ("upgrade", "websocket"), ("sec-websocket-key", "x")]
    answer = send(proxy.port, "GET", "/v1/realtime?model=m", None, headers)
    assert answer.status == 501 and json.loads(answer.body)["error"]["code"] == "no_websocket"


def test_headers_are_bounded(start: Start) -> None:
    answer = post(start(max_header_kb=4), DIALOGUE, ("x-long", "x" * 5000))
    assert answer.status == 431 and json.loads(answer.body)["error"]["code"] == "headers_too_large"


def test_concurrency_is_bounded(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(max_concurrency=1)
    upstream.answer(Reply(silent=True))
    with socket.create_connection(("127.0.0.1", proxy.port)) as waiting:
        waiting.sendall(b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n")
        wait_for(lambda: len(upstream.received) == 1)
        refused = send(proxy.port, "GET", "/v1/models")
        assert refused.status == 503 and refused.header("retry-after") == "1"
    wait_for(lambda: proxy.app.relay.open == 0)
    upstream.answer(Reply([b"{}"]))
    assert send(proxy.port, "GET", "/v1/models").status == 200


# --- failures


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.01)


@pytest.mark.parametrize("chunked", [True, False])
def test_an_upstream_that_breaks_off_is_a_break_for_the_client(
    proxy: RunningProxy, upstream: ScriptedUpstream, chunked: bool
) -> None:
    event = b'data: {"choices":[{"index":0,"delta":{"content":"The sum is "}}]}\n\n'
    headers = [("content-type", "text/event-stream")] + [("content-length", "500")] * (not chunked)
    upstream.answer(Reply([event], headers=headers, end="abort"))
    answer = post(proxy)
    assert (answer.status, answer.body, answer.end) == (200, event, "aborted")
    assert len(upstream.received) == 1
    kept = trace(proxy, answer)["answer"]
    assert kept["error"] == "the upstream broke off" and not kept["complete"]


def test_an_upstream_that_is_killed_in_mid_stream(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_events(*deltas(*"abcdefgh"), delays=[0.05] * 20))
    import threading

    killer = threading.Timer(0.2, upstream.drop_connections)
    killer.start()
    answer = post(proxy)
    killer.join()
    assert answer.end == "aborted" and len(answer.body) > 0 and b"[DONE]" not in answer.body
    upstream.answer()
    assert post(proxy).status == 200


def test_an_early_but_clean_end_is_passed_on_as_that(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_events(*deltas("The answer")[:2], done=False))
    answer = post(proxy)
    assert answer.end == "clean" and b"[DONE]" not in answer.body and answer.body.count(b"data:") == 2
    assert trace(proxy, answer)["answer"]["complete"] is False


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_an_upstream_that_is_not_there(start: Start) -> None:
    port = unused_port()
    proxy = start(url=f"http://127.0.0.1:{port}/v1")
    for answer in (post(proxy), send(proxy.port, "GET", "/v1/models")):
        error = json.loads(answer.body)["error"]
        assert answer.status == 502 and error["code"] == "upstream_unreachable"
        assert str(port) not in answer.body.decode() and "127.0.0.1" not in answer.body.decode()
    assert send(proxy.port, "GET", "/readyz").status == 503
    assert send(proxy.port, "GET", "/livez").status == 200


def test_an_upstream_that_hangs_up_before_it_answers(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    def hang_up(request: Any) -> Reply:
        upstream.drop_connections()
        return Reply(silent=True)

    upstream.script = hang_up
    answer = post(proxy)
    assert answer.status == 502 and json.loads(answer.body)["error"]["type"] == "server_error"


def test_an_upstream_that_does_not_answer_in_time(start: Start, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply(silent=True))
    answer = post(start(first_byte_timeout=0.2))
    assert answer.status == 504 and json.loads(answer.body)["error"]["code"] == "upstream_timeout"


def test_a_stream_that_falls_silent(start: Start, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply([b"data: 1\n\n", b"data: 2\n\n"], end="hang"))
    proxy = start(idle_timeout=0.3)
    answer = post(proxy)
    assert answer.end == "aborted" and answer.body == b"data: 1\n\ndata: 2\n\n"
    assert trace(proxy, answer)["answer"]["error"] == "the upstream fell silent"


def test_thinking_pauses_are_no_timeouts(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_json(completion("late"), delay=6.0))
    assert json.loads(post(proxy).body)["choices"][0]["message"]["content"] == "late"


@pytest.mark.parametrize(
    "reply", [Reply(silent=True), Reply([b"data: 1\n\n"], end="hang")], ids=["before", "during"]
)
@pytest.mark.parametrize(("method", "path"), [("POST", CHAT), ("GET", "/v1/models"), ("POST", "/v1/files")])
def test_a_client_that_hangs_up_frees_the_upstream_at_once(
    proxy: RunningProxy, upstream: ScriptedUpstream, reply: Reply, method: str, path: str
) -> None:
    upstream.answer(reply)
    body = DIALOGUE if method == "POST" else None
    asked = lambda: bool(upstream.received) and (reply.silent or upstream.received[0].finished is not None)  # noqa: E731
    send(proxy.port, method, path, body, JSON, hang_up_when=asked)
    wait_for(lambda: upstream.received[0].closed is not None)
    wait_for(lambda: proxy.app.relay.open == 0 and proxy.app.relay.upstream.calls == 0)


def test_a_client_that_hangs_up_while_it_uploads(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    for path in ("/v1/files", CHAT):
        with socket.create_connection(("127.0.0.1", proxy.port)) as connection:
            connection.sendall(
                f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\npart".encode()
            )
            wait_for(lambda: proxy.app.relay.open == 1)
        wait_for(lambda: proxy.app.relay.open == 0 and proxy.app.relay.upstream.calls == 0)
    assert post(proxy).status == 200


def test_an_answer_before_the_upload_is_over(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    def server(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\nconnection: close\r\n\r\nmuch")
        time.sleep(0.5)
        connection.close()

    import threading

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server, args=(listener,))
        thread.start()
        with RunningProxy(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", engine()) as early:
            answer = send(early.port, "POST", "/v1/files", [b"x" * 1000] * 200)
            assert (answer.status, answer.body) == (413, b"much")
        thread.join()


def test_connections_are_kept_alive(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    with socket.create_connection(("127.0.0.1", proxy.port)) as connection:
        for _ in range(3):
            connection.sendall(b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n")
            data = b""
            while not data.endswith(b"}}"):
                data += connection.recv(65536)
            assert data.startswith(b"HTTP/1.1 200")
    assert len(upstream.received) == 3


# --- the other dialects

RESPONSES = (
    b'{"model":"m","input":[{"role":"user","content":"one"},{"role":"assistant","content":"a"},'
    b'{"role":"user","content":"two"}], "top_p":1e-07}'
)
MESSAGES = RESPONSES.replace(b"input", b"messages").replace(b'"m"', b'"m","max_tokens":9')


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/responses", RESPONSES), ("/v1/messages", MESSAGES), ("/v1/messages/count_tokens", MESSAGES)],
)
def test_every_dialect_is_left_alone_or_patched(
    proxy: RunningProxy, upstream: ScriptedUpstream, path: str, body: bytes
) -> None:
    assert post(proxy, body, path=path).header("x-acr-decision") == "none"
    answer = post(proxy, body, ("x-acr-operator", "lead"), path=path)
    assert answer.header("x-acr-decision") == "intervened"
    assert [received.body for received in upstream.received] == [
        body,
        body.replace(b'"two"', b'"[note] two"'),
    ]


def test_hidden_history_is_told_in_the_reason(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    body = RESPONSES.replace(b'"model"', b'"previous_response_id":"resp_1","model"')
    answer = post(proxy, body, ("x-acr-operator", "lead"), path="/v1/responses")
    assert answer.header("x-acr-reason") == "previous_response_id: the history is on the server"
    assert upstream.received[0].body == body


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/responses/compact"),
        ("GET", "/v1/responses/resp_1"),
        ("DELETE", "/v1/responses/resp_1"),
        ("POST", "/v1/responses/resp_1/cancel"),
        ("POST", "/v1/messages/batches"),
    ],
)
def test_their_other_routes_are_relayed(
    proxy: RunningProxy, upstream: ScriptedUpstream, method: str, path: str
) -> None:
    answer = send(proxy.port, method, path, RESPONSES if method == "POST" else None)
    assert answer.header("x-acr-decision") is None and upstream.received[0].target == path


def test_anthropic_clients_get_errors_in_their_shape(start: Start) -> None:
    proxy = start(api_key="k")
    answer = post(proxy, MESSAGES, path="/v1/messages")
    assert answer.status == 401 and json.loads(answer.body)["error"]["type"] == "authentication_error"
    fine = post(proxy, MESSAGES, ("x-api-key", "k"), path="/v1/messages")
    assert fine.status == 200


def test_an_upstream_key_goes_where_anthropic_looks(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(upstream_key="sk-up")
    post(proxy, MESSAGES, ("x-api-key", "client"), ("anthropic-version", "2023-06-01"), path="/v1/messages")
    assert upstream.received[0].header("x-api-key") == "sk-up"
    assert upstream.received[0].header("authorization") is None
    assert upstream.received[0].header("anthropic-version") == "2023-06-01"
