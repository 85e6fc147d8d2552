import json
from dataclasses import asdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.traces import written

from acr.dialects.responses_reader import ResponsesReader
from acr.trace import Answer

WHOLE: dict[str, Any] = {
    "id": "resp_1",
    "status": "completed",
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "42"}]},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
    ],
    "usage": {
        "input_tokens": 5,
        "output_tokens": 2,
        "total_tokens": 7,
        "input_tokens_details": {"cached_tokens": 3},
    },
}
STREAM: list[dict[str, Any]] = [
    {"type": "response.created", "response": {**WHOLE, "status": "in_progress", "output": []}},
    {"type": "response.reasoning_summary_text.delta", "delta": "hm"},
    {"type": "response.output_text.delta", "delta": "4"},
    {"type": "response.output_text.delta", "delta": "2"},
    {"type": "response.completed", "response": WHOLE},
]


def read(*events: Any, text: bool = True) -> Answer:
    reader = ResponsesReader(text=text)
    for event in events:
        reader.event("", json.dumps(event))
    return reader.answer()


def test_the_last_event_holds_it_all() -> None:
    answer = read(*STREAM)
    (choice,) = answer.choices
    assert answer.complete and (choice.text, choice.reasoning, choice.finish) == ("42", "hm", "completed")
    assert choice.tool_calls == [
        {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    ]
    assert answer.usage is not None and asdict(answer.usage) == {
        "prompt_tokens": 5,
        "completion_tokens": 2,
        "total_tokens": 7,
        "cached_tokens": 3,
    }


def test_a_stream_that_breaks_off() -> None:
    answer = read(*STREAM[:3])
    assert not answer.complete and answer.choices[0].text == "4"
    assert read(STREAM[0]).choices == []


def test_incomplete_failed_and_errors() -> None:
    cut = {**WHOLE, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    answer = read({"type": "response.incomplete", "response": cut})
    assert answer.complete and answer.choices[0].finish == "max_output_tokens"
    assert not read({"type": "response.failed", "response": {**WHOLE, "status": "failed"}}).complete
    assert read({"type": "error", "message": "secret"}).error == "error reported by the upstream"


def test_without_text_the_last_event_is_enough() -> None:
    reader = ResponsesReader(text=False)
    assert reader.wanted is not None
    events = map(json.dumps, STREAM)
    wanted = [one for one in events if any(pattern.search(one.encode()) for pattern in reader.wanted)]
    assert len(wanted) == 1
    reader.event("response.completed", wanted[0])
    answer = reader.answer()
    assert answer.complete and "42" not in written(answer) and answer.usage is not None


def test_a_document_and_an_error_document() -> None:
    reader = ResponsesReader(text=True)
    reader.document(json.dumps(WHOLE).encode())
    assert reader.answer().choices[0].text == "42"
    failed = ResponsesReader(text=True)
    failed.document(b'{"error":{"message":"no"}}')
    assert not failed.answer().complete


JSON = st.recursive(
    st.none() | st.integers(0, 2) | st.text(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "response", "output", "content", "text", "usage", "delta", "status", "summary"]
            ),
            inner | st.sampled_from(["response.completed", "message", "reasoning", "function_call", "error"]),
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(st.lists(JSON), JSON)
def test_nothing_can_break_it(events: list[Any], document: Any) -> None:
    written(read(*events))
    reader = ResponsesReader(text=True)
    reader.document(json.dumps(document).encode())
    written(reader.answer())
