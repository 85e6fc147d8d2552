import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.conversation import Conversation, Turn
from acr.dialects.responses import Responses
from acr.errors import EditError
from acr.gate import closed

RESPONSES = Responses()
U = {"role": "user", "content": "one"}
A = {
    "type": "message",
    "role": "assistant",
    "id": "m1",
    "status": "completed",
    "content": [{"type": "output_text", "text": "a", "annotations": []}],
}
V = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "two"}]}
CALLS = [{"type": "function_call", "call_id": f"c{n}", "name": "f", "arguments": "{}"} for n in (1, 2)]
OUTPUTS = [{"type": "function_call_output", "call_id": f"c{n}", "output": f"r{n}"} for n in (1, 2)]
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "AAEC"}


def turns(*items: object) -> tuple[Turn, ...]:
    request = RESPONSES.parse(json.dumps({"model": "m", "input": items}).encode())
    assert request.conversation is not None, request.why
    return request.conversation.turns


def test_messages_are_turns() -> None:
    read = turns({"role": "developer", "content": "d"}, U, A, V)
    assert [(t.id, t.role, t.text, t.plain) for t in read] == [
        ("0", "developer", "d", True),
        ("1", "user", "one", True),
        ("2", "assistant", "a", True),
        ("3", "user", "two", True),
    ]


def test_a_step_of_the_assistant_is_one_turn_and_so_are_its_results() -> None:
    read = turns(U, A, *CALLS, *OUTPUTS, A, V)
    assert [(t.id, t.role, t.calls, t.answers) for t in read] == [
        ("0", "user", (), ()),
        ("1", "assistant", ("c1", "c2"), ()),
        ("4", "tool", (), ("c1", "c2")),
        ("6", "assistant", (), ()),
        ("7", "user", (), ()),
    ]
    assert read[2].text == "r1\nr2" and not read[1].plain and not read[2].plain
    assert closed(Conversation(read)) is None


def test_open_and_broken_tool_loops_close_the_gate() -> None:
    assert closed(Conversation(turns(U, *CALLS, *OUTPUTS))) == "open tool loop"
    assert closed(Conversation(turns(U, A, V, *CALLS, OUTPUTS[0], V))) == "a tool call without its result"
    assert closed(Conversation(turns(U, {"type": "function_call_output", "output": "r"}, V))) is not None


@pytest.mark.parametrize("item", [REASONING, {"type": "compaction", "encrypted_content": "x"}])
def test_signed_and_compacted_history_is_sealed(item: dict[str, object]) -> None:
    read = turns(U, item, A, V)
    assert any(turn.sealed for turn in read) and not read[-1].sealed


def test_images_are_attached() -> None:
    (turn,) = turns({"role": "user", "content": [{"type": "input_image", "image_url": "data:x"}]})
    assert turn.attached and not turn.plain


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"previous_response_id": "r"}, "previous_response_id"),
        ({"conversation": "c"}, "conversation"),
        ({"conversation": {"id": "c"}}, "conversation"),
        ({"background": True}, "background"),
        ({"prompt": {"id": "p"}}, "prompt"),
    ],
)
def test_history_on_the_server_is_left_alone_and_said(fields: dict[str, object], why: str) -> None:
    body = json.dumps({"model": "m", "input": [U, A, V], **fields}).encode()
    request = RESPONSES.parse(body)
    assert request.conversation is None and request.why.startswith(why) and request.body == body


@pytest.mark.parametrize(
    "input",
    [
        None,
        7,
        [7],
        [{"type": "item_reference", "id": "x"}],
        [{"type": "new_thing"}],
        [{"type": 7}],
        [{"role": "x"}],
    ],
)
def test_what_is_not_known_is_left_alone(input: object) -> None:
    request = RESPONSES.parse(json.dumps({"input": input}).encode())
    assert request.conversation is None and request.why


def test_null_and_false_hide_nothing() -> None:
    body = {"input": "hi", "previous_response_id": None, "background": False}
    request = RESPONSES.parse(json.dumps(body).encode())
    assert request.conversation is not None and request.conversation.turns[0].text == "hi"


@given(st.binary() | st.text().map(str.encode))
def test_parse_takes_anything(body: bytes) -> None:
    assert RESPONSES.parse(body).body == body


BODY = (
    '{"model":"m","instructions":"s", "top_p":1e-07,"input":[ {"role":"user","content":"\\u00e9ne"},\n'
    '{"type":"reasoning","id":"r","summary":[],"w":1.0} ,{"type":"function_call","call_id":"c1","name":"f",'
    '"arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"1.0"},'
    '{"role":"assistant","content":[{"type":"output_text","text":"a"}]},'
    '{"role":"user","content":[{"type":"input_text","text":"two"}]}],"stream":true}'
)


def test_a_turn_of_several_items_is_kept_and_dropped_whole() -> None:
    request = RESPONSES.parse(BODY.encode())
    assert request.conversation is not None
    one, step, result, _, two = request.conversation.turns
    assert RESPONSES.patch(request, request.conversation).decode() == BODY
    dropped = RESPONSES.patch(request, Conversation((one, two))).decode()
    assert (
        dropped
        == BODY[: BODY.index(",\n{")] + BODY[BODY.index(',{"role":"user","content":[{"type":"input') :]
    )
    assert json.loads(RESPONSES.patch(request, Conversation((one, step, result, two))))["input"][1][
        "type"
    ] == ("reasoning")


def test_a_lead_is_a_part_of_input_text() -> None:
    request = RESPONSES.parse(BODY.encode())
    assert request.conversation is not None
    *rest, two = request.conversation.turns
    result = RESPONSES.patch(request, Conversation((*rest, two.prefixed("L\n")))).decode()
    part = '{"type":"input_text","text":"two"}'
    assert result == BODY.replace(part, '{"type":"input_text","text":"L\\n"},' + part)


def test_an_input_that_is_one_text() -> None:
    request = RESPONSES.parse(b'{"input" : "h\\u00e9"}')
    assert request.conversation is not None
    (turn,) = request.conversation.turns
    assert RESPONSES.patch(request, Conversation((turn.prefixed("L "),))) == b'{"input" : "L h\\u00e9"}'
    with pytest.raises(EditError):
        RESPONSES.patch(request, Conversation((turn.with_text("x"),)))


ITEMS = st.sampled_from([U, A, V, *CALLS, *OUTPUTS, REASONING, {"type": "web_search_call", "id": "w"}])


@given(st.lists(ITEMS, min_size=1), st.data())
def test_any_items_and_any_turns_dropped(items: list[dict[str, Any]], data: st.DataObject) -> None:
    body = json.dumps({"x": 1.0, "input": items, "y": [1]}, indent=1).encode()
    request = RESPONSES.parse(body)
    assert request.conversation is not None
    assert RESPONSES.patch(request, request.conversation) == body
    kept = [turn for turn in request.conversation if data.draw(st.booleans())] or [
        request.conversation.turns[-1]
    ]
    after = json.loads(RESPONSES.patch(request, Conversation(tuple(kept))))
    wanted: list[Any] = []
    for turn in kept:
        wanted += turn.wire.get("items", [turn.wire])
    assert after == {"x": 1.0, "input": wanted, "y": [1]}
