"""The description is true: whatever is asked, what comes is one of the answers that it tells of."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.http import Answer, send
from support.proxy import RunningProxy

from acr.proxy.openapi import description

jsonschema = pytest.importorskip("jsonschema")

DOCUMENT = description("1")
NO_JSON = {"/acr", "/acr/", "/acr/{name}", "/metrics"}
"""For people and for Prometheus."""
METHODS = ("GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, str, bytes | None]:
    """Path as it is described, method, target, body: parameters as they should be and otherwise."""
    path = draw(st.sampled_from(sorted(DOCUMENT["paths"])))
    target, query = path, draw(st.lists(st.tuples(texts, texts), max_size=2))
    for parameter in DOCUMENT["paths"][path]["get"].get("parameters", []):
        value = draw(st.integers(-2, 2000).map(str) | texts)
        if parameter["in"] == "path":
            target = target.replace("{id}", quote(value, safe="") or "x")
        else:
            query.append((parameter["name"], value))
    if query:
        target += "?" + "&".join(f"{quote(key)}={quote(value)}" for key, value in query)
    return path, draw(st.sampled_from(METHODS)), target, draw(st.none() | st.binary(max_size=20))


def judge(path: str, method: str, answer: Answer) -> None:
    responses = DOCUMENT["paths"][path]["get"]["responses"]
    if method not in ("GET", "HEAD"):
        assert answer.status == 405 and json.loads(answer.body)["error"]["code"] == "method_not_allowed"
        return
    known = responses if "{id}" not in path else {**responses, "405": None}
    assert str(answer.status) in known, answer
    assert answer.header("content-type") == "application/json"
    if method == "GET":
        schema = responses[str(answer.status)]["content"]["application/json"]["schema"]
        jsonschema.validate(json.loads(answer.body), {**schema, "components": DOCUMENT["components"]})


@given(request=requests())
def test_every_answer_is_described(proxy: RunningProxy, request: tuple[str, str, str, bytes | None]) -> None:
    path, method, target, body = request
    judge(path, method, send(proxy.port, method, target, body))


def test_the_real_traces_are_described(proxy: RunningProxy) -> None:
    messages = [
        {"role": role, "content": text} for role, text in (("user", "a"), ("assistant", "b"), ("user", "c"))
    ]
    body = json.dumps({"model": "m", "messages": messages, "acr": {"operator": "lead"}}).encode()
    id = send(proxy.port, "POST", "/v1/chat/completions", body).header("x-acr-trace")
    for path, target in (
        ("/v1/acr/decisions", "/v1/acr/decisions?limit=1"),
        ("/v1/acr/decisions/{id}", f"/v1/acr/decisions/{id}"),
    ):
        answer = send(proxy.port, "GET", target)
        assert answer.status == 200
        judge(path, "GET", answer)


def test_it_is_served_and_valid_and_shadows_no_route_of_an_upstream(proxy: RunningProxy) -> None:
    served: dict[str, Any] = json.loads(send(proxy.port, "GET", "/openapi.json").body)
    assert set(served["paths"]) == set(DOCUMENT["paths"])
    assert all(not path.startswith("/v1/") or path.startswith("/v1/acr/") for path in served["paths"])
    for schema in served["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_endpoint_is_described(proxy: RunningProxy) -> None:
    assert {route.path for route in proxy.app.routes} - NO_JSON == set(DOCUMENT["paths"])


@pytest.mark.skipif(
    shutil.which("schemathesis") is None, reason="schemathesis is not installed (it need not be)"
)
def test_schemathesis_finds_nothing(proxy: RunningProxy, tmp_path: Path) -> None:
    """The same by a tool of others, for those who have it: `pipx install schemathesis`."""
    command = ["schemathesis", "run", f"{proxy.root}/openapi.json", "--checks", "all", "--no-color"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout
