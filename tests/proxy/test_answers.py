"""A question instead of an answer, in every form, as the vendors' own clients see it."""

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest
from support.http import send
from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream

from acr import registry
from acr.engine import Engine

QUESTION = "For how many people should I book it?"
DIALOGUE: list[Any] = [
    {"role": "user", "content": "Book a table for us at the Lisboa."},
    {"role": "assistant", "content": f"Gladly. {QUESTION}"},
    {"role": "user", "content": "We would like to sit outside if it does not rain on that day."},
    {"role": "assistant", "content": "I have booked a table outside for 2 people at 19:00."},
    {"role": "user", "content": "It should be on Friday the 12th of June."},
]
ASK = {"x-acr-operator": "reask", "x-acr-questions": "1"}


@pytest.fixture(scope="module")
def asking(upstream: ScriptedUpstream) -> Iterator[RunningProxy]:
    made = Engine(registry.controller("never"), registry.operators(), deadline=60)
    with RunningProxy(upstream.url, made, keep_text=True) as running:
        yield running


@pytest.fixture
def client(asking: RunningProxy) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=asking.url, api_key="sk-FAKE", max_retries=0, default_headers=ASK) as made:
        yield made


@pytest.fixture
def claude(asking: RunningProxy) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(
        base_url=asking.root, api_key="sk-FAKE", max_retries=0, default_headers=ASK
    ) as made:
        yield made


@pytest.fixture(autouse=True)
def _nobody_else_is_asked(upstream: ScriptedUpstream) -> Iterator[None]:
    yield
    assert upstream.received == []


def test_chat(client: openai.OpenAI) -> None:
    raw = client.chat.completions.with_raw_response.create(model="demo-model", messages=DIALOGUE)
    answer = raw.parse()
    assert raw.headers["x-acr-decision"] == "answered" and raw.headers["x-acr-operator"] == "reask"
    assert answer.choices[0].message.content == QUESTION
    assert answer.choices[0].finish_reason == "stop"
    assert answer.model == "demo-model" and answer.usage is not None
    assert answer.usage.prompt_tokens > 50 and answer.usage.completion_tokens > 5
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


@pytest.mark.parametrize("usage", [True, False])
def test_chat_stream(client: openai.OpenAI, usage: bool) -> None:
    more: Any = {"stream_options": {"include_usage": True}} if usage else {}
    stream = client.chat.completions.create(model="demo-model", messages=DIALOGUE, stream=True, **more)
    chunks = list(stream)
    assert len({chunk.id for chunk in chunks}) == 1
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == QUESTION
    assert [c.choices[0].finish_reason for c in chunks if c.choices] == [None, None, "stop"]
    assert [bool(chunk.usage) for chunk in chunks] == [False, False, False] + [True] * usage


def test_chat_helper_of_the_client(client: openai.OpenAI) -> None:
    with client.chat.completions.stream(model="demo-model", messages=DIALOGUE) as stream:
        assert stream.get_final_completion().choices[0].message.content == QUESTION


def test_responses(client: openai.OpenAI) -> None:
    answer = client.responses.create(model="demo-model", input=DIALOGUE, store=False, temperature=0.5)
    assert answer.output_text == QUESTION and answer.status == "completed" and answer.temperature == 0.5
    assert answer.usage is not None and answer.usage.input_tokens > 50
    type(answer).model_validate(answer.model_dump())  # whole by the client's own schema


def test_responses_stream(client: openai.OpenAI) -> None:
    with client.responses.stream(model="demo-model", input=DIALOGUE, store=False) as stream:
        events = list(stream)
        final = stream.get_final_response()
    assert "".join(e.delta for e in events if e.type == "response.output_text.delta") == QUESTION
    assert final.output_text == QUESTION
    numbers = [event.sequence_number for event in events]
    assert numbers == sorted(numbers) and events[-1].type == "response.completed"


def test_messages(claude: anthropic.Anthropic) -> None:
    answer = claude.messages.create(model="demo-model", max_tokens=500, messages=DIALOGUE)
    assert [block.text for block in answer.content if block.type == "text"] == [QUESTION]
    assert answer.stop_reason == "end_turn" and answer.usage.input_tokens > 50
    type(answer).model_validate(answer.model_dump())


def test_messages_stream(claude: anthropic.Anthropic) -> None:
    with claude.messages.stream(model="demo-model", max_tokens=500, messages=DIALOGUE) as stream:
        assert "".join(stream.text_stream) == QUESTION
        final = stream.get_final_message()
    assert final.usage.output_tokens > 5 and final.stop_reason == "end_turn"


def test_the_trace_tells(client: openai.OpenAI, asking: RunningProxy) -> None:
    raw = client.chat.completions.with_raw_response.create(model="demo-model", messages=DIALOGUE)
    trace = json.loads(send(asking.port, "GET", f"/v1/acr/decisions/{raw.headers['x-acr-trace']}").body)
    assert trace["answered"] is True and trace["applied"] is False and trace["operator"] == "reask"
    assert trace["answer"]["choices"][0]["text"] == QUESTION
    assert trace["answer"]["complete"] is True and trace["answer"]["usage"]["completion_tokens"] > 5


def test_a_first_turn_is_asked_about_in_its_language(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(
        model="demo-model",
        messages=[{"role": "user", "content": "Was kostet die Reise für uns und wie lange ist sie?"}],
    )
    assert (answer.choices[0].message.content or "").startswith("Bevor ich antworte")


def test_a_question_can_be_asked_in_a_body_field(asking: RunningProxy) -> None:
    with openai.OpenAI(base_url=asking.url, api_key="sk-FAKE", max_retries=0) as plain:
        answer = plain.chat.completions.create(
            model="demo-model", messages=DIALOGUE, extra_body={"acr": {"operator": "reask", "questions": 1}}
        )
    assert answer.choices[0].message.content == QUESTION
