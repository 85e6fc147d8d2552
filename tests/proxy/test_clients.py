"""Other vendors' clients and APIs, direct and through the proxy: the same answers, the same bytes upstream."""

from typing import Any

import openai
import pytest
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream
from support.vendors import MESSAGE, MESSAGE_EVENTS, RESPONSE, any_api, named_events

DIALOGUE: list[Any] = [
    {"role": "user", "content": "one ä"},
    {"role": "assistant", "content": "a"},
    {"role": "user", "content": "two"},
]
SEEN: dict[str, list[tuple[str, bytes]]] = {}


@pytest.fixture(params=["direct", "acr"])
def base_url(request: pytest.FixtureRequest, upstream: ScriptedUpstream, proxy: RunningProxy) -> str:
    return upstream.url if request.param == "direct" else proxy.url


@pytest.fixture(autouse=True)
def _same_bytes(request: pytest.FixtureRequest, upstream: ScriptedUpstream) -> Any:
    """What reaches the upstream is what reached it in the direct run, which comes first."""
    yield
    seen = [(received.target, received.body) for received in upstream.received]
    assert seen and SEEN.setdefault(request.function.__name__, seen) == seen


def test_openai_responses(base_url: str, upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_json(RESPONSE))
    with openai.OpenAI(base_url=base_url, api_key="sk-FAKE", max_retries=0) as client:
        answer = client.responses.create(model="demo-model", input=DIALOGUE, instructions="Be short.")
    assert answer.output_text == "ok" and answer.usage and answer.usage.total_tokens == 2


def test_openai_responses_streamed(base_url: str, upstream: ScriptedUpstream) -> None:
    delta = {
        "type": "response.output_text.delta",
        "item_id": "msg_1",
        "output_index": 0,
        "content_index": 0,
        "delta": "ok",
        "logprobs": [],
        "sequence_number": 1,
    }
    created = {"type": "response.created", "sequence_number": 0, "response": {**RESPONSE, "output": []}}
    completed = {"type": "response.completed", "sequence_number": 2, "response": RESPONSE}
    upstream.answer(named_events(created, delta, completed))
    with openai.OpenAI(base_url=base_url, api_key="sk-FAKE", max_retries=0) as client:
        events = list(client.responses.create(model="demo-model", input="hi", stream=True))
    assert [event.type for event in events] == [
        "response.created",
        "response.output_text.delta",
        "response.completed",
    ]


def test_openai_responses_with_a_tool(base_url: str, upstream: ScriptedUpstream) -> None:
    call = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "c1",
        "name": "size",
        "arguments": '{"id": 1.0}',
    }
    upstream.answer(
        Reply.of_json({**RESPONSE, "output": [{**call, "status": "completed"}]}), Reply.of_json(RESPONSE)
    )
    tool: Any = {"type": "function", "name": "size", "parameters": {"type": "object"}, "strict": False}
    asked: list[Any] = [{"role": "user", "content": "How big is it?"}]
    with openai.OpenAI(base_url=base_url, api_key="sk-FAKE", max_retries=0) as client:
        first = client.responses.create(model="demo-model", input=asked, tools=[tool])
        (made,) = first.output
        assert made.type == "function_call" and made.arguments == '{"id": 1.0}'
        asked += [made, {"type": "function_call_output", "call_id": made.call_id, "output": "3 m"}]
        assert client.responses.create(model="demo-model", input=asked, tools=[tool]).output_text == "ok"


async def test_openai_streams_by_its_helpers(base_url: str, upstream: ScriptedUpstream) -> None:
    upstream.script = any_api
    async with openai.AsyncOpenAI(base_url=base_url, api_key="sk-FAKE", max_retries=0) as client:
        async with client.responses.stream(model="demo-model", input=DIALOGUE) as events:
            assert (await events.get_final_response()).output_text == "ok"
        async with client.chat.completions.stream(model="demo-model", messages=DIALOGUE) as chunks:
            assert (await chunks.get_final_completion()).choices[0].message.content == "ok"


def test_anthropic_with_a_tool(base_url: str, upstream: ScriptedUpstream) -> None:
    anthropic = pytest.importorskip("anthropic")
    use = {"type": "tool_use", "id": "t1", "name": "size", "input": {"id": 1}}
    upstream.answer(
        Reply.of_json({**MESSAGE, "content": [use], "stop_reason": "tool_use"}), Reply.of_json(MESSAGE)
    )
    asked = {
        "model": "demo-model",
        "max_tokens": 9,
        "tools": [{"name": "size", "input_schema": {"type": "object"}}],
        "betas": ["interleaved-thinking-2025-05-14"],
    }
    messages: list[Any] = [{"role": "user", "content": "How big is it?"}]
    with anthropic.Anthropic(
        base_url=base_url.removesuffix("/v1"), api_key="sk-FAKE", max_retries=0
    ) as client:
        first = client.beta.messages.create(**asked, messages=messages)
        assert first.stop_reason == "tool_use" and first.content[0].input == {"id": 1}
        result = {"type": "tool_result", "tool_use_id": "t1", "content": "3 m"}
        messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
        assert client.beta.messages.create(**asked, messages=messages).content[0].text == "ok"
    assert upstream.received[0].header("anthropic-beta") == "interleaved-thinking-2025-05-14"


def test_anthropic(base_url: str, upstream: ScriptedUpstream) -> None:
    anthropic = pytest.importorskip("anthropic")
    upstream.answer(Reply.of_json(MESSAGE))
    with anthropic.Anthropic(
        base_url=base_url.removesuffix("/v1"), api_key="sk-FAKE", max_retries=0
    ) as client:
        answer = client.messages.create(
            model="demo-model", max_tokens=9, system="Be short.", messages=DIALOGUE
        )
    assert answer.content[0].text == "ok" and answer.stop_reason == "end_turn"
    received = upstream.received[0]
    assert "sk-FAKE" in (received.header("x-api-key") or received.header("authorization") or "")
    assert upstream.received[0].header("anthropic-version")


async def test_anthropic_streamed(base_url: str, upstream: ScriptedUpstream) -> None:
    anthropic = pytest.importorskip("anthropic")
    upstream.answer(named_events(*MESSAGE_EVENTS))
    url = base_url.removesuffix("/v1")
    async with (
        anthropic.AsyncAnthropic(base_url=url, api_key="sk-FAKE", max_retries=0) as client,
        client.messages.stream(model="demo-model", max_tokens=9, messages=DIALOGUE) as stream,
    ):
        assert [text async for text in stream.text_stream] == ["ok"]
        assert (await stream.get_final_message()).stop_reason == "end_turn"


def test_anthropic_counts_tokens(base_url: str, upstream: ScriptedUpstream) -> None:
    anthropic = pytest.importorskip("anthropic")
    upstream.answer(Reply.of_json({"input_tokens": 12}))
    with anthropic.Anthropic(
        base_url=base_url.removesuffix("/v1"), api_key="sk-FAKE", max_retries=0
    ) as client:
        assert client.messages.count_tokens(model="demo-model", messages=DIALOGUE).input_tokens == 12


def test_anthropic_errors(base_url: str, upstream: ScriptedUpstream) -> None:
    anthropic = pytest.importorskip("anthropic")
    upstream.answer(
        Reply.of_json({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, 529)
    )
    with (
        anthropic.Anthropic(
            base_url=base_url.removesuffix("/v1"), api_key="sk-FAKE", max_retries=0
        ) as client,
        pytest.raises(anthropic.APIStatusError) as caught,
    ):
        client.messages.create(model="demo-model", max_tokens=9, messages=DIALOGUE)
    assert caught.value.status_code == 529


async def test_langchain(base_url: str, upstream: ScriptedUpstream) -> None:
    langchain = pytest.importorskip("langchain_openai")
    model = langchain.ChatOpenAI(model="demo-model", base_url=base_url, api_key="sk-FAKE", max_retries=0)
    assert (await model.ainvoke([("user", "one"), ("ai", "a"), ("user", "two")])).content == "ok"
    assert "".join([str(chunk.content) async for chunk in model.astream("hi")]) == "ok"
    await model.root_async_client.close()
    model.root_client.close()


@pytest.mark.filterwarnings("ignore")
def test_litellm(base_url: str, upstream: ScriptedUpstream) -> None:
    litellm = pytest.importorskip("litellm")
    upstream.script = any_api
    asked = {"model": "openai/demo-model", "api_base": base_url, "api_key": "sk-FAKE", "messages": DIALOGUE}
    assert litellm.completion(**asked).choices[0].message.content == "ok"
    pieces = [chunk.choices[0].delta.content or "" for chunk in litellm.completion(**asked, stream=True)]
    assert "".join(pieces) == "ok"
    claude = litellm.completion(
        model="anthropic/demo-model",
        api_base=base_url.removesuffix("/v1"),
        api_key="sk-FAKE",
        messages=DIALOGUE,
    )
    assert claude.choices[0].message.content == "ok"
