import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.conversation import Conversation, Turn
from acr.dialects.messages import Messages
from acr.gate import closed

MESSAGES = Messages()
U = {"role": "user", "content": "one"}
A = {"role": "assistant", "content": [{"type": "text", "text": "a"}]}
V = {"role": "user", "content": [{"type": "text", "text": "two"}]}
CALL = {
    "role": "assistant",
    "content": [
        {"type": "text", "text": "let me"},
        {"type": "tool_use", "id": "t1", "name": "f", "input": {"w": 1.0}},
        {"type": "tool_use", "id": "t2", "name": "f", "input": {}},
    ],
}
RESULT = {
    "role": "user",
    "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": "r1"},
        {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "r2"}]},
    ],
}


def turns(*messages: object) -> tuple[Turn, ...]:
    request = MESSAGES.parse(json.dumps({"model": "m", "system": "s", "messages": messages}).encode())
    assert request.conversation is not None, request.why
    return request.conversation.turns


def test_calls_and_results() -> None:
    read = turns(U, CALL, RESULT, A, V)
    assert [turn.calls for turn in read] == [(), ("t1", "t2"), (), (), ()]
    assert [turn.answers for turn in read] == [(), (), ("t1", "t2"), (), ()]
    assert [turn.text for turn in read] == ["one", "let me", "r1\nr2", "a", "two"]
    assert closed(Conversation(read)) is None
    assert closed(Conversation(read[:3])) == "open tool loop"
    assert Conversation(read).users == (read[0], read[4])


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "text", "text": "a"}],
        [{"type": "redacted_thinking", "data": "x"}],
        [{"type": "compaction", "content": "c"}],
        [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
    ],
)
def test_what_is_signed_cached_or_compacted_is_sealed(content: object) -> None:
    assert turns({"role": "assistant", "content": content})[0].sealed


def test_documents_and_images_are_attached() -> None:
    for kind in ("image", "document", "search_result"):
        (turn,) = turns({"role": "user", "content": [{"type": kind, "source": {}}]})
        assert turn.attached and not turn.plain


def test_results_without_ids_match_nothing() -> None:
    read = turns({"role": "assistant", "content": [{"type": "tool_use"}]}, {"role": "user", "content": [{"type": "tool_result"}]})  # fmt: skip
    assert read[0].calls and read[1].answers and read[0].calls != read[1].answers


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"{}", b'{"messages":7}', b'{"messages":[7]}', b'{"messages":[{"role":"tool"}]}']
)
def test_what_is_not_known_is_left_alone(body: bytes) -> None:
    request = MESSAGES.parse(body)
    assert request.conversation is None and request.why and request.body == body


@given(st.binary() | st.text().map(str.encode))
def test_parse_takes_anything(body: bytes) -> None:
    assert MESSAGES.parse(body).body == body


def test_only_messages_are_patched() -> None:
    body = (
        '{"model":"m","system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],'
        '"max_tokens":1e3, "messages":[{"role":"user","content":"\\u00e9"}, {"role":"assistant","content":"a"},\n'
        '{"role":"user","content":[{"type":"image","source":{}},{"type":"text","text":"two"}]}],"stream":true}'
    )
    request = MESSAGES.parse(body.encode())
    assert request.conversation is not None
    one, a, two = request.conversation.turns
    result = MESSAGES.patch(request, Conversation((one.prefixed("L "), a, two.prefixed("M\n")))).decode()
    assert result == body.replace('"\\u00e9"', '"L \\u00e9"').replace(
        '[{"type":"image"', '[{"type":"text","text":"M\\n"},{"type":"image"'
    )


def test_errors_have_anthropic_s_shape() -> None:
    assert MESSAGES.error(503, "busy", "overloaded") == {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "busy"},
    }
    assert MESSAGES.error(502, "gone", "x")["error"]["type"] == "api_error"
