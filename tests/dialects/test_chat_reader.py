import json
import math
import re
from dataclasses import asdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.traces import written

from acr.dialects.chat_reader import ChatReader
from acr.trace import Answer


def read(*events: Any, text: bool = True) -> Answer:
    reader = ChatReader(text=text)
    for event in events:
        reader.event("", event if isinstance(event, str) else json.dumps(event))
    return reader.answer()


def delta(index: int = 0, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": delta, "finish_reason": finish}]}


def test_text_reasoning_and_finish() -> None:
    answer = read(
        delta(role="assistant", content=None, reasoning_content="six "),
        delta(content=None, reasoning="times"),
        delta(content="4"),
        delta(content="2"),
        delta(finish="stop"),
        "[DONE]",
    )
    (choice,) = answer.choices
    assert (choice.text, choice.reasoning, choice.finish) == ("42", "six times", "stop")
    assert answer.complete and answer.usage is None and answer.error is None


def test_interleaved_choices_stay_apart() -> None:
    answer = read(
        delta(0, content="Az"), delta(1, content="Bl"), delta(0, content="ure"), delta(1, content="ue")
    )
    assert [choice.text for choice in answer.choices] == ["Azure", "Blue"]


def test_tool_calls_are_put_together() -> None:
    first = {"index": 0, "id": "k1", "type": "function", "function": {"name": "look", "arguments": ""}}
    other = {"index": 1, "id": "k2", "type": "function", "function": {"name": "see", "arguments": "{}"}}
    answer = read(
        delta(tool_calls=[first]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": '{"id"'}}]),
        delta(tool_calls=[other]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": ":1}"}}]),
        delta(finish="tool_calls"),
    )
    assert answer.choices[0].tool_calls == [
        {"id": "k1", "type": "function", "function": {"name": "look", "arguments": '{"id":1}'}},
        {"id": "k2", "type": "function", "function": {"name": "see", "arguments": "{}"}},
    ]


def test_the_usage_chunk_has_no_choices() -> None:
    usage = {"prompt_tokens": 65, "completion_tokens": 12, "total_tokens": 77}
    answer = read(
        delta(content="x", finish="stop"),
        {"choices": [], "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 64}}},
        "[DONE]",
    )
    assert answer.usage is not None
    assert asdict(answer.usage) == {**usage, "cached_tokens": 64}


def test_a_stream_is_complete_only_if_it_says_so() -> None:
    assert not read(delta(content="The answer is")).complete
    assert not read().complete
    assert read(delta(content="x", finish="stop")).complete  # some servers never send [DONE]
    assert not read(delta(0, content="x", finish="stop"), delta(1, content="y")).complete
    assert read(delta(content="x"), "[DONE]").complete


def test_an_error_in_the_stream_is_no_complete_answer() -> None:
    answer = read(delta(content="x"), {"error": {"message": "secret"}}, "[DONE]")
    assert not answer.complete and answer.error is not None and "secret" not in answer.error


def test_text_is_left_out_where_it_is_not_asked_for() -> None:
    call = {"index": 0, "id": "k", "function": {"name": "f", "arguments": "secret"}}
    answer = read(delta(content="secret", reasoning="secret", tool_calls=[call], finish="stop"), text=False)
    assert "secret" not in written(answer) and answer.choices[0].finish == "stop"


def test_a_whole_answer() -> None:
    reader = ChatReader(text=True)
    message = {"role": "assistant", "content": "hi", "tool_calls": [{"id": "a", "function": {"name": "f"}}]}
    document = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"total_tokens": 3},
    }
    reader.document(json.dumps(document).encode())
    answer = reader.answer()
    assert answer.complete and answer.choices[0].text == "hi"
    assert answer.choices[0].tool_calls == [{"id": "a", "function": {"name": "f"}}]
    assert answer.usage is not None and answer.usage.total_tokens == 3


def test_an_error_document_is_not_complete() -> None:
    reader = ChatReader(text=True)
    reader.document(b'{"error":{"message":"no"}}')
    assert not reader.answer().complete


def test_entropy_of_the_reported_alternatives() -> None:
    def token(*probabilities: float) -> dict[str, Any]:
        return {"top_logprobs": [{"logprob": math.log(p)} for p in probabilities]}

    content = [token(0.5, 0.5), token(0.25, 0.25, 0.25, 0.25), {"top_logprobs": []}]
    answer = read({"choices": [{"index": 0, "delta": {}, "logprobs": {"content": content}}]})
    assert answer.entropy is not None
    assert math.isclose(answer.entropy, (math.log(2) + math.log(4)) / 2)


KEYS = re.findall(
    r"\w+",
    "choices index delta message content tool_calls function arguments usage logprobs top_logprobs "
    "logprob finish_reason error prompt_tokens prompt_tokens_details",
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@given(st.lists(ANY | st.text()), st.booleans())
def test_no_event_can_break_it(events: list[Any], text: bool) -> None:
    written(read(*events, text=text))


@given(ANY.map(lambda value: json.dumps(value).encode()) | st.binary())
def test_no_document_can_break_it(document: bytes) -> None:
    reader = ChatReader(text=True)
    reader.document(document)
    reader.answer()
