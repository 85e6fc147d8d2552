"""A trace turn by turn, for each dialect, as the endpoint answers it."""

import json
from typing import Any

import pytest
from support.http import send
from support.proxy import RunningProxy

from acr.errors import ConversationError
from acr.proxy.study import turns
from acr.trace import Trace

CHAT = [
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "How many kilograms of fruit does my orchard give?"},
    {"role": "assistant", "content": "I assume 50 trees of 2 kilograms: 50 × 2 = 100 kilograms."},
    {"role": "user", "content": [{"type": "text", "text": "I have 24 <b>apple</b> trees."}]},
]
ITEMS = [
    {"role": "user", "content": "one"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "two"}]},
    {"role": "user", "content": "three"},
]
BODIES = {
    "/v1/chat/completions": {"messages": CHAT},
    "/v1/messages": {"messages": CHAT[1:], "system": "Be short.", "max_tokens": 9},
    "/v1/responses": {"input": ITEMS},
}


def ask(proxy: RunningProxy, path: str, operator: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    body = json.dumps({"model": "m", **BODIES[path]}).encode()
    id = send(proxy.port, "POST", path, body, [("x-acr-operator", operator)]).header("x-acr-trace")
    trace = json.loads(send(proxy.port, "GET", f"/v1/acr/decisions/{id}").body)
    answer = send(proxy.port, "GET", f"/v1/acr/decisions/{id}/turns")
    assert answer.status == 200, answer.body
    return trace, json.loads(answer.body)["data"]


@pytest.mark.parametrize("path", BODIES)
def test_turns_of_each_dialect(proxy: RunningProxy, path: str) -> None:
    trace, found = ask(proxy, path, "fold")
    *_, first, answer, newest = found
    assert [first["role"], answer["role"], newest["role"]] == ["user", "assistant", "user"]
    assert first["change"] == answer["change"] == "dropped" and newest["change"] == "rewritten"
    assert newest["after"].endswith(newest["text"]) and newest["after"].startswith(first["text"])
    assert newest["moment"] == trace["moment"] and first["moment"] == trace["follows"]
    assert "signals" not in answer and newest["signals"]["user_turns"]["value"] == 2
    for signal in newest["signals"].values():
        assert {row["id"] for row in found} >= set(signal["evidence"])
    now = {name: signal["value"] for name, signal in newest["signals"].items()}
    assert now == {name: pytest.approx(value) for name, value in trace["signals"].items() if name in now}


def test_an_inserted_turn_stands_before_the_one_it_was_put_before() -> None:
    edits = [{"edit": "insert", "before": "3", "role": "user", "text": "new"}]
    newest = turns(Trace(id="x", dialect="chat", messages=CHAT, view=CHAT, edits=edits))[-1]
    assert newest["inserted"] == [{"role": "user", "text": "new"}] and newest["change"] == "kept"


def test_steps_of_several_items_are_read_again() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    step = {"items": [{"type": "reasoning", "summary": [], "id": "rs_1"}, call]}
    output = {"type": "function_call_output", "call_id": "c", "output": "12"}
    found = turns(Trace(id="x", dialect="responses", messages=[ITEMS[0], step, output, ITEMS[-1]]))
    assert [turn["role"] for turn in found] == ["user", "assistant", "tool", "user"]
    with pytest.raises(ConversationError):
        turns(Trace(id="x", dialect="responses", messages=[{"type": "unknown"}]))


def test_what_failed_was_not_changed(proxy: RunningProxy) -> None:
    _, found = ask(proxy, "/v1/chat/completions", "broken")
    assert [turn["change"] for turn in found] == ["kept"] * 4


def test_without_text_there_are_no_turns(start: Any) -> None:
    proxy = start()
    body = json.dumps({"model": "m", "messages": CHAT}).encode()
    id = send(proxy.port, "POST", "/v1/chat/completions", body).header("x-acr-trace")
    answer = send(proxy.port, "GET", f"/v1/acr/decisions/{id}/turns")
    assert answer.status == 409 and json.loads(answer.body)["error"]["code"] == "no_text"
    assert send(proxy.port, "GET", "/v1/acr/decisions/none/turns").status == 404


def test_a_brief_list_holds_no_text(proxy: RunningProxy) -> None:
    ask(proxy, "/v1/chat/completions", "fold")
    whole = send(proxy.port, "GET", "/v1/acr/decisions?limit=5").body.decode()
    brief = send(proxy.port, "GET", "/v1/acr/decisions?limit=5&brief=true").body.decode()
    assert "orchard" in whole and "orchard" not in brief
    newest = json.loads(brief)["data"][0]
    assert newest["decision"] == "intervened" and newest["answer"]["usage"] and newest["signals"]
