"""`acr doctor` finds each fault and names a remedy."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream, completion, deltas

from acr.cli import doctor as module

USAGE = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}


def model_server(request: Received, *, usage: bool = True) -> Reply:
    if request.target == "/v1/models":
        return Reply.of_json({"object": "list", "data": [{"id": "m1", "object": "model", "created": 1}]})
    if request.json.get("stream"):
        last = {**deltas()[0], "choices": [], "usage": USAGE}
        return Reply.of_events(*deltas("o", "k"), *([last] if usage else []))
    answer = completion()
    if not usage:
        del answer["usage"]
    return Reply.of_json(answer)


def findings(acr: Any, *arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    found = acr("doctor", "--json", "--port", str(free_port()), *arguments)
    assert found.stderr == ""
    return found.exit_code, {row["what"]: row for row in json.loads(found.stdout)}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_all_is_well(acr: Any, upstream: ScriptedUpstream) -> None:
    upstream.script = model_server
    code, found = findings(acr, "--upstream", upstream.url)
    assert code == 0
    for what in (
        "python",
        "tokenizer",
        "operators",
        "settings",
        "port",
        "upstream",
        "key",
        "answers",
        "streams",
    ):
        assert found[what]["state"] == "ok", found[what]
    assert found["usage"]["state"] == "ok"
    assert all(request.json["model"] == "m1" for request in upstream.received if request.method == "POST")
    assert all(row["remedy"] for row in found.values() if row["state"] in ("fail", "warn"))


def test_no_usage_is_a_warning(acr: Any, upstream: ScriptedUpstream) -> None:
    upstream.script = lambda request: model_server(request, usage=False)
    code, found = findings(acr, "--upstream", upstream.url)
    assert (code, found["usage"]["state"]) == (0, "warn")
    assert "harmless" in found["usage"]["remedy"]


def test_nothing_answers(acr: Any) -> None:
    code, found = findings(acr, "--upstream", f"http://127.0.0.1:{free_port()}/v1")
    assert (code, found["upstream"]["state"]) == (1, "fail")
    assert "is it running" in found["upstream"]["remedy"]


def test_the_key_is_refused(acr: Any, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_json({"error": {"message": "bad key"}}, 401))
    code, found = findings(acr, "--upstream", upstream.url)
    assert (code, found["key"]["state"]) == (1, "fail")
    assert "OPENAI_API_KEY" in found["key"]["remedy"]


def test_no_list_of_models_but_a_named_one(acr: Any, upstream: ScriptedUpstream) -> None:
    def script(request: Received) -> Reply:
        if request.target == "/v1/models":
            return Reply.of_json({"error": {"message": "no such route"}}, 404)
        return model_server(request)

    upstream.script = script
    code, found = findings(acr, "--upstream", upstream.url, "--model", "m2")
    assert (code, found["models"]["state"], found["answers"]["state"]) == (0, "warn", "ok")
    code, found = findings(acr, "--upstream", upstream.url)
    assert "--model NAME" in found["models"]["remedy"] and "answers" not in found


def test_answers_that_fail(acr: Any, upstream: ScriptedUpstream) -> None:
    def script(request: Received) -> Reply:
        if request.target == "/v1/models":
            return model_server(request)
        return Reply.of_json({"error": {"message": "out of credit"}}, 429)

    upstream.script = script
    code, found = findings(acr, "--upstream", upstream.url)
    assert code == 1
    assert found["answers"]["state"] == found["streams"]["state"] == "fail"
    assert "HTTP 429" in found["answers"]["detail"] and "out of credit" in found["answers"]["detail"]


def test_wrong_settings(acr: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACR_UPSTRAEM", "x")
    code, found = findings(acr)
    assert (code, found["settings"]["state"]) == (1, "fail")
    assert "ACR_UPSTREAM" in found["settings"]["detail"]


def test_a_port_in_use_and_one_that_acr_has(acr: Any, upstream: ScriptedUpstream) -> None:
    upstream.script = model_server
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, found = findings(acr, "--upstream", upstream.url, "--port", str(taken.getsockname()[1]))
    assert (code, found["port"]["state"]) == (1, "fail")
    assert "in use" in found["port"]["detail"] and "--port N" in found["port"]["remedy"]
    with RunningProxy(upstream.url) as proxy:
        code, found = findings(acr, "--upstream", upstream.url, "--port", str(proxy.port))
    assert (code, found["port"]["state"]) == (0, "ok"), found["port"]
    assert "already serves" in found["port"]["detail"]


def test_without_an_upstream_the_embedded_model_is_checked(
    acr: Any, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, found = findings(acr)
    assert (code, found["model"]["state"]) == (0, "warn")
    assert "acr model pull qwen2.5-coder-1.5b-instruct" in found["model"]["remedy"]
    monkeypatch.setattr(module, "runtime", lambda: False)
    code, found = findings(acr)
    assert (code, found["runtime"]["state"]) == (1, "fail")
    assert "[local]" in found["runtime"]["remedy"]
    monkeypatch.setenv("ACR_MODEL", "gpt-9")
    assert findings(acr)[1]["model"]["state"] == "fail"


def test_people_see_the_remedy_below_the_fault(acr: Any) -> None:
    text = acr(
        "doctor", "--upstream", f"http://127.0.0.1:{free_port()}/v1", "--port", str(free_port())
    ).stdout
    assert "✗ upstream" in text and "→ is it running" in text
