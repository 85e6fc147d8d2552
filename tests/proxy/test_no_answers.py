"""Where no question may be asked, the model is asked."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.http import Answer, send
from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream

from acr import registry
from acr.engine import Engine

DIALOGUE: list[Any] = [
    {"role": "user", "content": "Book a table for us at the Lisboa."},
    {"role": "assistant", "content": "For how many people should I book it?"},
    {"role": "user", "content": "We would like to sit outside if it does not rain on that day."},
    {"role": "assistant", "content": "I have booked a table outside for 2 people at 19:00."},
    {"role": "user", "content": "It should be on Friday the 12th of June."},
]
ASKED = [
    *DIALOGUE[:2],
    {"role": "user", "content": "We would like to sit outside, if it does not rain then."},
]
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


@pytest.fixture(scope="module")
def asking(upstream: ScriptedUpstream) -> Iterator[RunningProxy]:
    made = Engine(registry.controller("never"), registry.operators(), deadline=60)
    with RunningProxy(upstream.url, made, keep_text=True) as running:
        yield running


def post(proxy: RunningProxy, body: Any, path: str = "/v1/chat/completions", **headers: str) -> Answer:
    given = {"x-acr-operator": "reask", "x-acr-questions": "1", "content-type": "application/json"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    return send(proxy.port, "POST", path, json.dumps(body).encode(), list(given.items()))


def chat(messages: list[Any] = DIALOGUE, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": messages, **fields}


NOT_FREE = {
    "tools": chat(tools=[TOOL]),
    "old functions": chat(functions=[TOOL["function"]]),
    "a schema": chat(response_format={"type": "json_schema", "json_schema": {"name": "a", "schema": {}}}),
    "json": chat(response_format={"type": "json_object"}),
    "log-probabilities": chat(logprobs=True),
    "sound": chat(modalities=["text", "audio"], audio={"voice": "alloy", "format": "wav"}),
    "a predicted answer": chat(prediction={"type": "content", "content": "a"}),
    "stored": chat(store=True),
    "several answers": chat(n=2),
    "no room": chat(max_tokens=3),
    "a stop sequence": chat(stop=["people"]),
    "a field nobody knows": chat(guided_regex="[0-9]+"),
    "asked once already": chat(ASKED),
    "just do it": chat(
        [*DIALOGUE[:-1], {"role": "user", "content": "On Friday. Don't ask me anything, just do it."}]
    ),
    "mach einfach": chat([*DIALOGUE[:-1], {"role": "user", "content": "Am Freitag, mach einfach!"}]),
    "said earlier": chat([{"role": "user", "content": "Book a table. No questions please."}, *DIALOGUE[1:]]),
}


@pytest.mark.parametrize("body", NOT_FREE.values(), ids=NOT_FREE)
def test_the_model_is_asked(asking: RunningProxy, upstream: ScriptedUpstream, body: dict[str, Any]) -> None:
    answer = post(asking, body)
    assert answer.header("x-acr-decision") != "answered"
    assert len(upstream.received) == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/messages/count_tokens", {"model": "m", "messages": DIALOGUE}),
        ("/v1/messages", {"model": "m", "max_tokens": 99, "messages": DIALOGUE, "tools": [{"name": "f"}]}),
        ("/v1/messages", {"model": "m", "max_tokens": 99, "messages": DIALOGUE, "thinking": {"type": "enabled"}}),
        ("/v1/responses", {"model": "m", "input": DIALOGUE}),
        ("/v1/responses", {"model": "m", "input": DIALOGUE, "store": False, "tools": [{"type": "web_search"}]}),
        ("/v1/responses", {"model": "m", "input": DIALOGUE, "store": False, "text": {"format": {"type": "json_schema"}}}),
    ],
)  # fmt: skip
def test_nor_elsewhere(asking: RunningProxy, upstream: ScriptedUpstream, path: str, body: Any) -> None:
    answer = post(asking, body, path)
    assert answer.header("x-acr-decision") != "answered"
    assert len(upstream.received) == 1


def test_off_by_default(asking: RunningProxy, upstream: ScriptedUpstream) -> None:
    answer = post(asking, chat(), x_acr_questions="0")
    assert answer.header("x-acr-decision") == "intervened"  # the instructing form
    upstream.answer()
    given = [("x-acr-operator", "reask")]
    answer = send(asking.port, "POST", "/v1/chat/completions", json.dumps(chat()).encode(), given)
    assert answer.header("x-acr-decision") == "intervened" and len(upstream.received) == 1


def test_observing_answers_nobody(asking: RunningProxy, upstream: ScriptedUpstream) -> None:
    answer = post(asking, chat(), x_acr_mode="observe")
    assert answer.header("x-acr-decision") == "observed" and len(upstream.received) == 1


def test_twice_where_twice_is_allowed(asking: RunningProxy, upstream: ScriptedUpstream) -> None:
    assert post(asking, chat(ASKED), x_acr_questions="2").header("x-acr-decision") == "answered"
    assert upstream.received == []


@pytest.mark.parametrize("value", ["yes", "-1", "1.5", "99999"])
def test_a_number_is_wanted(asking: RunningProxy, value: str) -> None:
    answer = post(asking, chat(), x_acr_questions=value)
    assert answer.status == 400 and b"whole number" in answer.body
