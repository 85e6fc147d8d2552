import json
from dataclasses import asdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.traces import written

from acr.dialects.messages_reader import MessagesReader
from acr.trace import Answer

STREAM: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"usage": {"input_tokens": 10, "cache_read_input_tokens": 4, "output_tokens": 1}}},
    {"type": "ping"},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s"}},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "4"}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "2"}},
    {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"a":'}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "1}"}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}},
    {"type": "message_stop"},
]  # fmt: skip


def read(*events: Any, text: bool = True) -> Answer:
    reader = MessagesReader(text=text)
    for event in events:
        reader.event("", json.dumps(event))
    return reader.answer()


def test_a_stream() -> None:
    answer = read(*STREAM)
    (choice,) = answer.choices
    assert (choice.text, choice.reasoning, choice.finish) == ("42", "hm", "tool_use")
    assert choice.tool_calls == [
        {"id": "t", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
    ]
    assert answer.complete and answer.usage is not None
    assert asdict(answer.usage) == {
        "prompt_tokens": 14,
        "completion_tokens": 7,
        "total_tokens": 21,
        "cached_tokens": 4,
    }


def test_a_stream_that_breaks_off_and_one_that_fails() -> None:
    assert not read(*STREAM[:-1]).complete
    failed = read(*STREAM, {"type": "error", "error": {"message": "secret"}})
    assert not failed.complete and failed.error and "secret" not in failed.error


def test_without_text_the_events_that_matter_are_enough() -> None:
    reader = MessagesReader(text=False)
    assert reader.wanted is not None
    for event in STREAM:
        data = json.dumps(event)
        if any(pattern.search(data.encode()) for pattern in reader.wanted):
            reader.event("", data)
    answer = reader.answer()
    assert answer.complete and answer.choices[0].finish == "tool_use" and answer.choices[0].text is None
    assert answer.usage is not None and answer.usage.total_tokens == 21


def test_a_document() -> None:
    reader = MessagesReader(text=True)
    reader.document(
        json.dumps(
            {
                "type": "message",
                "content": [{"type": "text", "text": "hi"}, {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 1, "output_tokens": 2},
            }
        ).encode()
    )  # fmt: skip
    answer = reader.answer()
    assert answer.complete and answer.choices[0].text == "hi" and answer.choices[0].finish == "end_turn"
    assert answer.choices[0].tool_calls[0]["function"] == {"name": "f", "arguments": '{"a": 1}'}


def test_an_error_document_is_not_complete() -> None:
    reader = MessagesReader(text=True)
    reader.document(b'{"type":"error","error":{"type":"overloaded_error"}}')
    assert not reader.answer().complete


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([
        "type", "index", "delta", "message", "content_block", "usage", "input_tokens", "text", "thinking",
        "stop_reason", "content", "partial_json"]), inner | st.sampled_from([
        "message_start", "content_block_start", "content_block_delta", "message_delta", "message", "text",
        "tool_use", "thinking"]), max_size=5),
    max_leaves=20,
)  # fmt: skip


@given(st.lists(JSON), JSON)
def test_nothing_can_break_it(events: list[Any], document: Any) -> None:
    written(read(*events))
    reader = MessagesReader(text=True)
    reader.document(json.dumps(document).encode())
    written(reader.answer())
