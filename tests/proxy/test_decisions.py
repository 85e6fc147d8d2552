"""The controller as a decision model: asked with OpenAI's own client, and relayed where it is not meant."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import BadRequestError, OpenAI
from support.engines import engine
from support.http import send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream

from acr import registry
from acr.engine import Engine
from acr.proxy.decisions import MOST

LOST = [
    {"role": "user", "content": "How many kilograms of fruit does my orchard give?"},
    {"role": "assistant", "content": "I assume 50 trees of 2 kilograms: 50 × 2 = 100 kilograms."},
    {"role": "user", "content": "I have 24 apple trees."},
]
PREDICATE = {"type": "predicate", "name": "lost", "instructions": "Is the model lost?"}
CHOICE = {
    "type": "choice",
    "name": "operator",
    "instructions": "What helps?",
    "choices": [{"value": "none"}, {"value": "consolidate"}, {"value": "prune+recap"}],
}


@pytest.fixture(scope="module")
def proxy(upstream: ScriptedUpstream) -> Iterator[RunningProxy]:
    """A proxy with the real operators, which real controllers choose among."""
    made = Engine(registry.controller("rules"), registry.operators())
    with RunningProxy(upstream.url, made) as running:
        yield running


def ask(proxy: RunningProxy, model: str, input: Any, *questions: Any) -> Any:
    client = OpenAI(base_url=proxy.url, api_key="unused", max_retries=0)
    try:
        return client.decisions.create(model=model, input=input, questions=questions)
    finally:
        client.close()


def test_the_controller_answers(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    answer = ask(proxy, "acr-rules", LOST, PREDICATE, CHOICE)
    predicate, choice = answer.answers
    assert answer.model == "acr-rules" and predicate.name == "lost" and 0 < predicate.probability <= 1
    assert choice.choice in ("none", "consolidate", "prune+recap")
    shares = {row.value: row.probability for row in choice.probabilities}
    assert sum(shares.values()) == pytest.approx(1) and choice.confidence == shares[choice.choice]
    never = ask(proxy, "acr-never", LOST, PREDICATE)
    assert never.answers[0].probability == 0
    assert not upstream.received


def test_the_proxys_own_controller_is_acr(start: Any) -> None:
    choice = {**CHOICE, "choices": [{"value": "none"}, {"value": "fold"}, {"value": "lead+fold"}]}
    answer = ask(start(engine("fold")), "acr", LOST, PREDICATE, choice)
    assert answer.answers[0].probability == 1
    assert answer.answers[1].choice == "fold" and answer.answers[1].confidence == 1


def test_one_turn_is_not_lost(proxy: RunningProxy) -> None:
    assert ask(proxy, "acr-rules", "Hello", PREDICATE).answers[0].probability == 0


@pytest.mark.parametrize(
    "question",
    [
        {**PREDICATE, "name": "urgent"},
        {"type": "predicate", "instructions": "?"},
        {**CHOICE, "choices": [{"value": "none"}, {"value": "billing"}]},
        {**CHOICE, "choices": [{"value": True}, {"value": "none"}]},
        {"type": "score", "name": "lost", "instructions": "?", "levels": [{"label": "a"}, {"label": "b"}]},
    ],
)
def test_what_it_does_not_know_is_refused(proxy: RunningProxy, question: dict[str, Any]) -> None:
    refused, answered = ask(proxy, "acr-rules", LOST, question, PREDICATE).answers
    assert refused.type == "refusal" and answered.type == "predicate"


@pytest.mark.parametrize(
    ("input", "questions"), [(LOST, []), ([{"role": "nobody"}], [PREDICATE]), (7, [PREDICATE])]
)
def test_what_makes_no_sense_is_told(proxy: RunningProxy, input: Any, questions: list[Any]) -> None:
    with pytest.raises(BadRequestError) as told:
        ask(proxy, "acr", input, *questions)
    assert told.value.code == "invalid_decision"


def test_a_file_is_no_controller(proxy: RunningProxy) -> None:
    with pytest.raises(BadRequestError, match="not a file"):
        ask(proxy, "acr-signals:/etc/passwd", LOST, PREDICATE)


@pytest.mark.parametrize(
    "body",
    [
        b'{"model": "gpt-6-luna", "input":  "x", "questions": []}',
        b'{"model": "acr-gpt-6-luna"}',
        b"not json",
        b"",
        b'{"model": 1e-07, "pad": "%s"}' % (b"x" * MOST),
    ],
)
def test_others_are_relayed_byte_for_byte(
    proxy: RunningProxy, upstream: ScriptedUpstream, body: bytes
) -> None:
    upstream.answer(Reply.of_json({"theirs": True}))
    answer = send(proxy.port, "POST", "/v1/decisions", body)
    assert json.loads(answer.body) == {"theirs": True} and upstream.received[0].body == body


def test_it_needs_the_key(start: Any) -> None:
    body = json.dumps({"model": "acr", "input": LOST, "questions": [PREDICATE]}).encode()
    proxy = start(api_key="FAKE-key")
    assert send(proxy.port, "POST", "/v1/decisions", body).status == 401
    answer = send(
        proxy.port, "POST", "/v1/decisions", body, [("x-api-key", "FAKE-key"), ("x-request-id", "mine")]
    )
    assert answer.status == 200 and answer.header("x-request-id") == "mine" and answer.header("x-acr-reason")
