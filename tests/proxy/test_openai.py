"""The real client, direct and through the proxy: the same answers, the same bytes upstream."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import openai
import pytest
from pydantic import BaseModel
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream, completion, deltas

MESSAGES: list[Any] = [
    {"role": "system", "content": "Short answers."},
    {"role": "user", "content": "Wie groß ist 京?"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "size", "arguments": '{"id": 1.0}'}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "0.10"},
    {"role": "assistant", "content": "Groß."},
    {"role": "user", "content": [{"type": "text", "text": "Und?"}], "name": "kim"},
]  # fmt: skip
TOOLS: list[Any] = [{"type": "function", "function": {"name": "size", "parameters": {"type": "object"}}}]
CALL = {"id": "c2", "type": "function", "function": {"name": "size", "arguments": '{"id":2}'}}


class Town(BaseModel):
    name: str


@pytest.fixture(params=["direct", "acr"])
def base_url(request: pytest.FixtureRequest, upstream: ScriptedUpstream, proxy: RunningProxy) -> str:
    return upstream.url if request.param == "direct" else proxy.url


@pytest.fixture
def client(base_url: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=base_url, api_key="sk-FAKE", max_retries=0) as made:
        yield made


@pytest.fixture
async def client_async(base_url: str) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=base_url, api_key="sk-FAKE", max_retries=0) as made:
        yield made


SEEN: dict[str, list[tuple[str, bytes, list[tuple[str, str]]]]] = {}


def same_as_direct(request: pytest.FixtureRequest, received: list[Received]) -> None:
    """Compare what reached the upstream with what reached it in the direct run, which comes first."""
    name = request.function.__name__
    seen = [
        (
            r.target,
            r.body,
            sorted((k.lower(), v) for k, v in r.headers if k.lower() not in ("host", "connection")),
        )
        for r in received
    ]
    assert seen, "nothing reached the upstream"
    assert SEEN.setdefault(name, seen) == seen


def test_create(client: openai.OpenAI, upstream: ScriptedUpstream, request: pytest.FixtureRequest) -> None:
    answer = client.chat.completions.create(
        model="demo-model", messages=MESSAGES, tools=TOOLS, temperature=1e-07, seed=9007199254740993
    )
    assert answer.model_dump(exclude_unset=True) == completion()
    same_as_direct(request, upstream.received)


def test_stream_with_tools(
    client: openai.OpenAI, upstream: ScriptedUpstream, request: pytest.FixtureRequest
) -> None:
    chunks = deltas("Let me ", "look.")
    piece = {"tool_calls": [{"index": 0, **CALL}]}
    chunks.insert(3, {**chunks[0], "choices": [{"index": 0, "delta": piece, "finish_reason": None}]})
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    chunks.append({**chunks[0], "choices": [], "usage": usage})
    upstream.answer(Reply.of_events(*chunks))
    stream = client.chat.completions.create(
        model="demo-model",
        messages=MESSAGES,
        tools=TOOLS,
        stream=True,
        stream_options={"include_usage": True},
    )
    assert [chunk.model_dump(exclude_unset=True) for chunk in stream] == chunks
    same_as_direct(request, upstream.received)


def test_structured_output(
    client: openai.OpenAI, upstream: ScriptedUpstream, request: pytest.FixtureRequest
) -> None:
    upstream.answer(Reply.of_json(completion('{"name":"Split"}')))
    answer = client.chat.completions.parse(model="demo-model", messages=MESSAGES, response_format=Town)
    assert answer.choices[0].message.parsed == Town(name="Split")
    same_as_direct(request, upstream.received)


async def test_async_create_and_stream(
    client_async: openai.AsyncOpenAI, upstream: ScriptedUpstream, request: pytest.FixtureRequest
) -> None:
    answer = await client_async.chat.completions.create(model="demo-model", messages=MESSAGES)
    assert answer.choices[0].message.content == "ok"
    stream = await client_async.chat.completions.create(model="demo-model", messages=MESSAGES, stream=True)
    assert [chunk.choices[0].delta.content async for chunk in stream] == ["", "o", "k", None]
    same_as_direct(request, upstream.received)


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, openai.AuthenticationError), (429, openai.RateLimitError), (500, openai.InternalServerError)],
)
def test_errors(
    client: openai.OpenAI, upstream: ScriptedUpstream, status: int, error: type[openai.APIStatusError]
) -> None:
    upstream.answer(Reply.of_json({"error": {"message": "no", "code": "c"}}, status))
    with pytest.raises(error) as caught:
        client.chat.completions.create(model="demo-model", messages=MESSAGES)
    assert caught.value.status_code == status and caught.value.code == "c"  # type: ignore[attr-defined]


def test_a_broken_stream_raises(client: openai.OpenAI, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_events(*deltas("The sum")[:2], done=False, end="abort"))
    stream = client.chat.completions.create(model="demo-model", messages=MESSAGES, stream=True)
    with pytest.raises(openai.APIConnectionError):
        list(stream)


def test_models_embeddings_and_files(
    client: openai.OpenAI, upstream: ScriptedUpstream, request: pytest.FixtureRequest
) -> None:
    def script(received: Received) -> Reply:
        if received.target.startswith("/v1/models"):
            return Reply.of_json({"object": "list", "data": [{"id": "m", "object": "model"}]})
        if received.target == "/v1/embeddings":
            return Reply.of_json({"data": [{"embedding": [0.5], "index": 0}], "model": "m"})
        return Reply([b"\x00\xffmp3"], headers=[("content-type", "audio/mpeg")])

    upstream.script = script
    assert [model.id for model in client.models.list()] == ["m"]
    made = client.embeddings.create(model="m", input="a", encoding_format="float")
    assert made.data[0].embedding == [0.5]
    speech = client.audio.speech.create(model="m", voice="alloy", input="hi")
    assert speech.read() == b"\x00\xffmp3"
    same_as_direct(request, upstream.received)


def test_controls_in_extra_body(proxy: RunningProxy, upstream: ScriptedUpstream) -> None:
    with openai.OpenAI(base_url=proxy.url, api_key="sk-FAKE", max_retries=0) as client:
        raw = client.chat.completions.with_raw_response.create(
            model="demo-model",
            messages=[
                {"role": "user", "content": "one"},
                {"role": "assistant", "content": "a"},
                {"role": "user", "content": "two"},
            ],
            extra_body={"acr": {"operator": "lead"}},
        )
    assert raw.headers["x-acr-decision"] == "intervened" and raw.parse().choices[0].message.content == "ok"
    sent = json.loads(upstream.received[0].body)
    assert "acr" not in sent and sent["messages"][-1]["content"] == "[note] two"
