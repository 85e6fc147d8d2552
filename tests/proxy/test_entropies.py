"""What is remembered of how unsure the model was, and the whole way from log-probabilities to a reset."""

import json
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.http import send
from support.upstream import Reply, completion, deltas

from acr import registry
from acr.engine import Engine
from acr.proxy.entropies import Entropies
from acr.testing import talk
from acr.text import digest

CHAT = "/v1/chat/completions"


def test_an_answer_is_known_again_in_its_own_dialogue_only() -> None:
    held = Entropies()
    held.note(talk("one", "a", "two", system="it is noon"), digest("b"), 0.7)
    assert held.signals(talk("one", "a", "two", " b\n", "three", system="it is one"))["entropy"].value == 0.7
    for other in (
        talk("one", "a", "two", "c", "three"),
        talk("one", "x", "two", "b", "three"),
        talk("two", "b", "three"),
    ):
        assert held.signals(other) == {}


def test_the_largest_rise_counts_and_names_its_answers() -> None:
    held = Entropies()
    dialogue = ["u1", "a", "u2", "b", "u3", "c", "u4", "d", "u5"]
    for turns, entropy in ((1, 0.4), (3, 0.1), (5, 0.9), (7, 1.0)):
        held.note(talk(*dialogue[:turns]), digest(dialogue[turns]), entropy)
    signals = held.signals(talk(*dialogue))
    assert signals["entropy"].value == 1.0 and signals["entropy"].evidence == ("7",)
    assert signals["entropy_rise"].value == pytest.approx(0.8)
    assert signals["entropy_rise"].evidence == ("3", "5")


def test_a_gap_in_what_is_known_is_no_rise() -> None:
    held = Entropies()
    held.note(talk("u1"), digest("a"), 0.1)
    held.note(talk("u1", "a", "u2", "b", "u3"), digest("c"), 0.9)
    assert set(held.signals(talk("u1", "a", "u2", "b", "u3", "c", "u4"))) == {"entropy"}


def test_the_oldest_go() -> None:
    held = Entropies(2)
    for name in "abc":
        held.note(talk(name), digest("x"), 1.0)
    assert not held.signals(talk("a", "x", "u"))
    assert held.signals(talk("c", "x", "u"))


@given(st.lists(st.text(), min_size=3, max_size=7).filter(lambda texts: len(texts) % 2 == 1))
def test_any_text_is_known_again(texts: list[str]) -> None:
    held = Entropies()
    held.note(talk(*texts[:-2]), digest(texts[-2]), 0.5)
    assert held.signals(talk(*texts))["entropy"].value == 0.5


def alternatives(count: int) -> dict:
    """One token for which the model saw `count` ways to go on, all alike: an entropy of log(count)."""
    return {"content": [{"token": "x", "top_logprobs": [{"logprob": -log(count)} for _ in range(count)]}]}


def whole(text: str, count: int) -> Reply:
    body = completion(text)
    body["choices"][0]["logprobs"] = alternatives(count)
    return Reply.of_json(body)


def streamed(text: str, count: int) -> Reply:
    first, *pieces, last = deltas(text[:3], text[3:])
    for piece in pieces:
        piece["choices"][0]["logprobs"] = alternatives(count)
    return Reply.of_events(first, *pieces, last)


@pytest.mark.parametrize("form", [whole, streamed])
@pytest.mark.parametrize("keep_text", [True, False])
def test_rising_entropy_resets_the_next_request(start, upstream, form, keep_text: bool) -> None:
    engine = Engine(registry.controller("entropy:0.5"), registry.operators())
    proxy = start(engine, keep_text=keep_text)
    answers = [
        "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10.",
        "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8.",
        "So Kyle has 48, and Leigh has 16.",
    ]
    upstream.answer(form(answers[0], 2), form(answers[1], 4), form(answers[2], 4))
    said = ["How many shells did Leigh find?", "Mimi found 24.", "Kyle found twice as many as Mimi."]
    messages: list[dict[str, str]] = []
    reasons = []
    for text, reply in zip(said, answers, strict=True):
        messages.append({"role": "user", "content": text})
        body = json.dumps({"model": "m", "messages": messages, "logprobs": True, "top_logprobs": 4}).encode()
        answer = send(proxy.port, "POST", CHAT, body, [("content-type", "application/json")])
        reasons.append(answer.header("x-acr-reason"))
        messages.append({"role": "assistant", "content": reply})
    assert reasons[1] == "the entropy of one answer only is known"
    assert reasons[2] == "entropy rose by 0.69 nats from one answer to the next"
    assert upstream.received[1].body.count(b"assistant") == 1, "nothing is done before the rise"
    assert len(upstream.received[2].json["messages"]) == 1, "one message of the user after it"


def test_without_logprobs_nothing_is_done_and_nothing_is_asked_for(start, upstream) -> None:
    proxy = start(Engine(registry.controller("entropy:0"), registry.operators()))
    body = json.dumps(
        {"messages": [{"role": r, "content": r} for r in ("user", "assistant", "user")]}
    ).encode()
    answer = send(proxy.port, "POST", CHAT, body, [("content-type", "application/json")])
    assert answer.header("x-acr-reason") == "no logprobs"
    assert upstream.received[0].body == body
