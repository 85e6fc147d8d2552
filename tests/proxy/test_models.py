import json
from collections.abc import Callable

import pytest
from support.engines import engine
from support.http import send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream

from acr.dialects import Request
from acr.dialects.chat import Chat
from acr.proxy.models import listed, named, renamed

Start = Callable[..., RunningProxy]
BODY = (
    b'{"model" : "acr-lead-gpt-x","messages":[{"role":"user","content":"one"},'
    b'{"role":"assistant","content":"a"},{"role":"user","content":"two"}], "top_p":1e-07}'
)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gpt-x", None),
        ("acr", None),
        ("acr-", None),
        ("acr-gpt-x", (None, "gpt-x")),
        ("acr-recap-gpt-x", ("recap", "gpt-x")),
        ("acr-recap-", (None, "recap-")),
        ("acr-recapitulate-1", (None, "recapitulate-1")),
        ("acr-recap-long-m", ("recap-long", "m")),
        ("acr-org/model:free", (None, "org/model:free")),
    ],
)
def test_names(name: str, meant: tuple[str | None, str] | None) -> None:
    assert named(Request(b"", model=name), {"recap", "recap-long"}) == meant


def test_only_the_name_is_changed() -> None:
    request = renamed(Chat(), Chat().parse(BODY), "gpt-x")
    assert request.body == BODY.replace(b"acr-lead-gpt-x", b"gpt-x") and request.model == "gpt-x"


def test_two_models_are_none() -> None:
    body = b'{"model":"acr-a","model":"acr-b","messages":[]}'
    assert renamed(Chat(), Chat().parse(body), "b").body == body


def test_a_list_of_models() -> None:
    body = b'{"object":"list", "data":[ {"id":"a","x":1.0} ,{"id":"b"},{"object":"odd"}],"y":1e-07}'
    assert listed(body) == body.replace(
        b'{"object":"odd"}', b'{"object":"odd"},{"id":"acr-a","x":1.0},{"id":"acr-b"}'
    )


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"data":7}', b'{"data":[]}', b"\x1f\x8b"])
def test_a_list_that_cannot_be_read_stays(body: bytes) -> None:
    assert listed(body) == body


def test_asking_by_name(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start(engine("fold"), mode="off")
    answer = send(proxy.port, "POST", "/v1/chat/completions", BODY)
    plain = BODY.replace(b"acr-lead-gpt-x", b"gpt-x")
    assert upstream.received[0].body == plain.replace(b'"two"', b'"[note] two"')
    assert answer.header("x-acr-operator") == "lead"
    bypass = [("x-acr-bypass", "1")]
    assert (
        send(proxy.port, "POST", "/v1/chat/completions", BODY, bypass).header("x-acr-decision") == "bypassed"
    )
    assert upstream.received[1].body == plain


def test_names_are_listed_only_if_switched_on(start: Start, upstream: ScriptedUpstream) -> None:
    models = {"object": "list", "data": [{"id": "m", "object": "model"}]}
    upstream.answer(Reply.of_json(models))
    quiet, loud = start(), start(list_models=True)
    assert json.loads(send(quiet.port, "GET", "/v1/models").body) == models
    answer = send(loud.port, "GET", "/v1/models", None, [("accept-encoding", "gzip")])
    assert [model["id"] for model in json.loads(answer.body)["data"]] == ["m", "acr-m"]
    assert upstream.received[1].header("accept-encoding") is None
    upstream.answer(Reply([b'{"data":['], headers=[("content-length", "100")], end="abort"))
    assert send(loud.port, "GET", "/v1/models").status == 502
