"""`acr demo` against a scripted model that gets lost in its own earlier answers, as real ones do."""

from typing import Any

import pytest
from support.upstream import Received, Reply, ScriptedUpstream, deltas

from acr.cli.demo_task import TASK
from acr.errors import UpstreamError

USAGE = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}


class Model:
    """Right when it sees every fact and none of its own answers; `stubborn` and `clever` change that."""

    def __init__(self, *, clever: bool = False, stubborn: bool = False, reports: bool = True) -> None:
        self.clever, self.stubborn, self.reports = clever, stubborn, reports

    def __call__(self, request: Received) -> Reply:
        if request.target == "/v1/models":
            return Reply.of_json({"object": "list", "data": [{"id": "m1"}]})
        messages = request.json["messages"]
        said = " ".join(message["content"] for message in messages if message["role"] == "user")
        knows = all(piece in said for piece in TASK.pieces[1:])
        lost = any(message["role"] == "assistant" for message in messages)
        right = knows and (self.clever or not lost) and not self.stubborn
        text = f"I take some numbers for granted. Answer: {TASK.answer if right else 1}"
        usage = [{**deltas()[0], "choices": [], "usage": USAGE}] if self.reports else []
        return Reply.of_events(*deltas(text[:10], text[10:]), *usage)


def demo(acr: Any, upstream: ScriptedUpstream, model: Model, *arguments: str) -> str:
    upstream.script = model
    found = acr("demo", "--upstream", upstream.url, *arguments)
    assert found.exit_code == 0, found.output
    return " ".join(found.stdout.split())  # wherever lines were broken


def test_it_gets_lost_and_is_brought_back(acr: Any, upstream: ScriptedUpstream) -> None:
    text = demo(acr, upstream, Model())
    assert "model m1" in text
    for piece in TASK.pieces:
        assert piece in text
    assert "left alone: single turn" in text
    assert "consolidate: the request came in" in text
    assert "1 wrong" in text and f"{TASK.answer:g} right" in text
    assert "the model got lost; through ACR it came to the right answer" in text


def test_the_clients_history_is_the_same_on_both_sides(acr: Any, upstream: ScriptedUpstream) -> None:
    demo(acr, upstream, Model())
    asked = [request.json for request in upstream.received if request.method == "POST"]
    assert len(asked) == 2 * len(TASK.pieces) + 1
    assert {(body["seed"], body["temperature"]) for body in asked} == {(1, 0.0)}
    assert max(len(body["messages"]) for body in asked) == 2 * len(TASK.pieces)


def test_a_server_behind_acr_is_asked_to_leave_the_direct_side_alone(
    acr: Any, upstream: ScriptedUpstream
) -> None:
    demo(acr, upstream, Model())
    raw = [request for request in upstream.received if request.header("x-acr-bypass") == "true"]
    assert len(raw) == len(TASK.pieces) + 1


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Model(clever=True), "the model did not get lost: it was right both ways"),
        (Model(stubborn=True), "The model cannot solve this task, not even told everything at once"),
    ],
)
def test_it_says_what_came_out_whatever_it_is(
    acr: Any, upstream: ScriptedUpstream, model: Model, said: str
) -> None:
    assert said in demo(acr, upstream, model)


def test_another_controller_may_not_help(acr: Any, upstream: ScriptedUpstream) -> None:
    text = demo(acr, upstream, Model(), "--controller", "never")
    assert "left alone: this controller never intervenes" in text
    assert "got lost both ways" in text and "ACR did not help" in text


def test_keys_for_clients_of_acr_do_not_shut_it_out(
    acr: Any, upstream: ScriptedUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACR_API_KEY", "sk-for-clients")
    monkeypatch.setenv("ACR_UPSTREAM_KEY", "sk-for-upstream")
    demo(acr, upstream, Model())
    assert {request.header("authorization") for request in upstream.received} == {"Bearer sk-for-upstream"}


def test_tokens_are_estimated_where_none_are_reported(acr: Any, upstream: ScriptedUpstream) -> None:
    text = demo(acr, upstream, Model(reports=False))
    assert "Tokens are estimates" in text


def test_a_server_that_refuses_sampling_parameters(acr: Any, upstream: ScriptedUpstream) -> None:
    model = Model()

    def script(request: Received) -> Reply:
        if request.method == "POST" and "temperature" in request.json:
            return Reply.of_json({"error": {"message": "unsupported parameter"}}, 400)
        return model(request)

    upstream.script = script
    assert acr("demo", "--upstream", upstream.url, "--model", "m2").exit_code == 0


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply.of_json({"error": {"message": "out of credit"}}, 429), "HTTP 429"),
        (Reply(disconnect=True), "did not"),
    ],
)
def test_a_server_that_fails_is_one_clear_error(
    acr: Any, upstream: ScriptedUpstream, reply: Reply, said: str
) -> None:
    upstream.answer(reply)
    error = acr("demo", "--upstream", upstream.url, "--model", "m1").exception
    assert isinstance(error, UpstreamError) and said in str(error)
