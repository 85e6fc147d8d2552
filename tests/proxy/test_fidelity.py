"""What each dialect can hold, beside a change of the newest message: all of it arrives as it was sent."""

import json
from typing import Any

import pytest
from support.http import Answer, send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream, deltas

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
FORCED = ("x-acr-operator", "lead")
LAST = "And now?"

CHAT_BODY: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "One.", "name": "rules"},
        {"role": "developer", "content": [{"type": "text", "text": "Two."}]},
        {"role": "user", "name": "kim", "content": [
            {"type": "text", "text": "Look."},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD", "detail": "low"}},
            {"type": "input_audio", "input_audio": {"data": "QUJD", "format": "wav"}},
            {"type": "file", "file": {"file_id": "file-1"}},
        ]},
        {"role": "assistant", "content": None, "refusal": "No.", "audio": {"id": "audio_1"}},
        {"role": "system", "content": "Three."},
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": "", "reasoning_content": "r", "reasoning": "r", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1.0}"}},
            {"id": "c2", "type": "custom", "custom": {"name": "g", "input": "raw"}},
        ]},
        {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "2"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "I can't."}], "annotations": []},
        {"role": "user", "content": LAST},
    ],
    "n": 1, "logprobs": True, "top_logprobs": 3, "parallel_tool_calls": False,
    "tools": [{"type": "function", "function": {"name": "f", "strict": True, "parameters": {}}}],
    "response_format": {"type": "json_schema", "json_schema": {"name": "s", "schema": {"type": "object"}}},
    "stream_options": {"include_usage": False}, "reasoning_effort": "low", "vendor": {"a": [1e-7, None]},
}  # fmt: skip
RESPONSES_BODY: dict[str, Any] = {
    "model": "m", "instructions": "One.",
    "input": [
        {"role": "developer", "content": "Two."},
        {"role": "user", "content": [
            {"type": "input_text", "text": "Look."},
            {"type": "input_image", "image_url": "data:image/png;base64,QUJD", "detail": "auto"},
            {"type": "input_file", "file_id": "file-1"},
        ]},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "status": "completed"},
        {"type": "function_call_output", "call_id": "c1", "output": "1"},
        {"type": "message", "role": "assistant", "id": "msg_1", "content": [
            {"type": "output_text", "text": "Done.", "annotations": [], "logprobs": []}]},
        {"role": "user", "content": [{"type": "input_text", "text": LAST}]},
    ],
    "include": ["reasoning.encrypted_content"], "store": False, "text": {"format": {"type": "text"}},
    "tools": [{"type": "web_search"}], "truncation": "auto", "background": False, "vendor": [1e-7],
}  # fmt: skip
MESSAGES_BODY: dict[str, Any] = {
    "model": "m", "max_tokens": 9,
    "system": [{"type": "text", "text": "One.", "cache_control": {"type": "ephemeral"}}],
    "messages": [
        {"role": "user", "content": [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}},
            {"type": "document", "source": {"type": "file", "file_id": "file_1"}, "citations": {"enabled": True}},
            {"type": "text", "text": "Look."}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "t", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "QUJD"},
            {"type": "tool_use", "id": "t1", "name": "f", "input": {"x": 1.0}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "1", "is_error": False}]},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": LAST},
    ],
    "thinking": {"type": "enabled", "budget_tokens": 1024}, "tool_choice": {"type": "auto"},
    "metadata": {"user_id": "u"}, "mcp_servers": [], "vendor": [1e-7],
}  # fmt: skip


def post(proxy: RunningProxy, path: str, body: Any, *headers: tuple[str, str]) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return send(proxy.port, "POST", path, data, [("content-type", "application/json"), *headers])


@pytest.mark.parametrize(
    ("path", "body"), [(CHAT, CHAT_BODY), (RESPONSES, RESPONSES_BODY), (MESSAGES, MESSAGES_BODY)]
)
def test_all_that_a_dialect_can_hold(
    proxy: RunningProxy, upstream: ScriptedUpstream, path: str, body: dict[str, Any]
) -> None:
    raw = json.dumps(body).encode()
    assert post(proxy, path, raw).header("x-acr-decision") == "none"
    assert post(proxy, path, raw, FORCED).header("x-acr-decision") == "intervened"
    untouched, changed = (received.body for received in upstream.received)
    assert untouched == raw
    last = json.dumps(LAST).encode()
    part = b'{"type": "input_text", "text": %b}' % last
    lead = b'{"type":"input_text","text":"[note] "},' + part
    expected = raw.replace(part, lead) if part in raw else raw.replace(last, b'"[note] And now?"')
    assert changed == expected


SEALED = [
    (RESPONSES, "input", {"type": "compaction", "encrypted_content": "QUJD"}),
    (RESPONSES, "input", {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "QUJD"}),
    (MESSAGES, "messages", {"role": "assistant", "content": [{"type": "compaction", "content": "c"}]}),
    (MESSAGES, "messages", {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s"}]}),
    (CHAT, "messages", {"role": "assistant", "content": "x", "reasoning_details": [{"type": "reasoning.encrypted", "data": "d"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "key", "item"), SEALED)
def test_what_is_sealed_and_all_before_it_outlives_an_operator_that_drops(
    proxy: RunningProxy, upstream: ScriptedUpstream, path: str, key: str, item: dict[str, Any]
) -> None:
    before = [{"role": "user", "content": "one"}, item]
    after = [
        *({"role": role, "content": text} for role, text in (("user", "two"), ("assistant", "b"))),
        {"role": "user", "content": LAST},
    ]
    post(proxy, path, {"model": "m", key: [*before, *after]}, ("x-acr-operator", "fold"))
    assert json.loads(upstream.received[0].body)[key][:2] == before


@pytest.mark.parametrize(
    "fields",
    [
        {"previous_response_id": "resp_1"},
        {"conversation": "conv_1"},
        {"conversation": {"id": "conv_1"}},
        {"background": True},
        {"prompt": {"id": "pmpt_1"}},
    ],
)
def test_history_on_the_server_is_left_alone_with_its_reason(
    proxy: RunningProxy, upstream: ScriptedUpstream, fields: dict[str, Any]
) -> None:
    raw = json.dumps({**RESPONSES_BODY, **fields}).encode()
    answer = post(proxy, RESPONSES, raw, FORCED)
    assert answer.header("x-acr-reason") == f"{next(iter(fields))}: the history is on the server"
    assert answer.header("x-acr-decision") == "none" and upstream.received[0].body == raw


@pytest.mark.parametrize("options", [None, {"include_usage": True}, {"include_usage": False}])
def test_usage_comes_where_it_was_asked_for_and_is_never_asked_for_by_us(
    proxy: RunningProxy, upstream: ScriptedUpstream, options: Any
) -> None:
    usage = {
        **deltas()[0],
        "choices": [],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
    }
    wanted = bool(options and options["include_usage"])
    reply = Reply.of_events(*deltas("a"), *[usage] * wanted)
    upstream.answer(reply)
    body = {**CHAT_BODY, "stream": True, "stream_options": options}
    if options is None:
        del body["stream_options"]
    answer = post(proxy, CHAT, body, FORCED)
    sent = json.loads(upstream.received[0].body)
    assert sent.get("stream_options", None) == options and ("stream_options" in sent) is (options is not None)
    assert answer.body == reply.body and (b'"usage"' in answer.body) is wanted


def test_betas_and_doubled_headers_pass_in_their_order(
    proxy: RunningProxy, upstream: ScriptedUpstream
) -> None:
    betas = [("anthropic-beta", "b-2"), ("anthropic-version", "2023-06-01"), ("anthropic-beta", "a-1,c-3")]
    answer = post(proxy, f"{MESSAGES}?beta=true", MESSAGES_BODY, *betas, FORCED)
    assert answer.header("x-acr-decision") == "intervened"
    (received,) = upstream.received
    assert received.target == f"{MESSAGES}?beta=true"
    assert [pair for pair in received.headers if pair[0].lower() == "anthropic-beta"] == [betas[0], betas[2]]


@pytest.mark.parametrize(
    ("path", "body"), [(CHAT, CHAT_BODY), (RESPONSES, RESPONSES_BODY), (MESSAGES, MESSAGES_BODY)]
)
def test_asking_by_the_name_of_the_model(
    proxy: RunningProxy, upstream: ScriptedUpstream, path: str, body: dict[str, Any]
) -> None:
    raw = json.dumps(body).encode()
    for name, decision in (("acr-m", "none"), ("acr-lead-m", "intervened")):
        answer = post(proxy, path, raw.replace(b'"m"', json.dumps(name).encode(), 1))
        assert answer.header("x-acr-decision") == decision
    assert upstream.received[0].body == raw
    assert json.loads(upstream.received[1].body)["model"] == "m"


def test_a_stored_stream_that_is_taken_up_again_is_relayed(
    proxy: RunningProxy, upstream: ScriptedUpstream
) -> None:
    reply = Reply.of_events({"type": "response.created"}, {"type": "response.completed"}, done=False)
    upstream.answer(reply)
    answer = send(proxy.port, "GET", "/v1/responses/resp_1?stream=true&starting_after=3")
    assert answer.body == reply.body and answer.header("x-acr-decision") is None
    assert upstream.received[0].target == "/v1/responses/resp_1?stream=true&starting_after=3"
