import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.conversation import Conversation, Turn
from acr.dialects.chat import Chat
from acr.dialects.splice import members
from acr.errors import EditError

CHAT = Chat()


def turns(*messages: object) -> tuple[Turn, ...]:
    request = CHAT.parse(json.dumps({"model": "m", "messages": messages}).encode())
    assert request.conversation is not None, request.why
    return request.conversation.turns


# --- reading


def test_the_head_of_a_request() -> None:
    request = CHAT.parse(b'{"model":"m","stream":true,"messages":[]}')
    assert (request.model, request.stream, request.why, request.conversation) == (
        "m",
        True,
        "",
        Conversation(()),
    )


def test_roles_and_ids() -> None:
    read = turns(
        {"role": "system", "content": "s"},
        {"role": "developer", "content": "d"},
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "a"},
        {"role": "tool", "content": "t", "tool_call_id": "c1"},
        {"role": "function", "content": "f", "name": "old"},
    )
    assert [turn.role for turn in read] == ["system", "developer", "user", "assistant", "tool", "tool"]
    assert [turn.id for turn in read] == ["0", "1", "2", "3", "4", "5"]
    assert [turn.text for turn in read] == ["s", "d", "u", "a", "t", "f"]


@pytest.mark.parametrize(
    ("content", "text", "attached", "plain"),
    [
        ("a", "a", False, True),
        (None, "", False, True),
        ("", "", False, True),
        ([], "", False, True),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb", False, True),
        (["a", "b"], "a\nb", False, True),
        ([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "x"}}], "a", True, False),
        ([{"type": "input_audio", "input_audio": {}}], "", True, False),
        ([{"type": "refusal", "refusal": "no"}], "no", False, False),
        ([{"type": "text", "text": "a", "vendor": 1}], "a", False, False),
        ({"text": "odd"}, "", True, False),
        (7, "", True, False),
        ([7, None], "", True, False),
    ],
)
def test_contents(content: object, text: str, attached: bool, plain: bool) -> None:
    (turn,) = turns({"role": "user", "content": content})
    assert (turn.text, turn.attached, turn.plain) == (text, attached, plain)


@pytest.mark.parametrize(
    ("more", "plain"),
    [
        ({}, True),
        ({"refusal": None, "annotations": [], "tool_calls": None, "function_call": None}, True),
        ({"name": "kim"}, False),
        ({"refusal": "no"}, False),
        ({"reasoning_content": "hm"}, False),
        ({"vendor": 0}, False),
    ],
)
def test_plain_means_text_is_all_there_is(more: dict[str, object], plain: bool) -> None:
    (turn,) = turns({"role": "assistant", "content": "a", **more})
    assert turn.plain is plain and not turn.sealed


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "a", "cache_control": {"type": "ephemeral"}},
        {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]},
        {"role": "assistant", "content": "a", "thinking_blocks": [{"signature": "s"}]},
        {"role": "assistant", "content": "a", "reasoning_details": [{"type": "x", "data": "enc"}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s"}]},
    ],
)
def test_what_providers_hold_the_prefix_by_is_sealed(message: dict[str, object]) -> None:
    (turn,) = turns(message)
    assert turn.sealed and not turn.plain


def test_calls_and_answers() -> None:
    calls = [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}, {"id": "c2"}]
    read = turns(
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c1", "content": "r"},
        {"role": "assistant", "content": None, "function_call": {"name": "g", "arguments": "{}"}},
        {"role": "function", "name": "g", "content": "r"},
    )
    assert [turn.calls for turn in read] == [("c1", "c2"), (), ("function g",), ()]
    assert [turn.answers for turn in read] == [(), ("c1",), (), ("function g",)]
    assert not any(turn.plain for turn in read)


def test_calls_and_answers_without_ids_never_match() -> None:
    read = turns(
        {"role": "assistant", "content": None, "tool_calls": [{"function": {}}, "odd"]},
        {"role": "tool", "content": "r"},
        {"role": "assistant", "content": None, "tool_calls": {"id": "c1"}},
    )
    assert read[0].calls and read[1].answers and read[2].calls
    assert not set(read[0].calls + read[2].calls) & set(read[1].answers)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"[]", "JSON"),
        (b'"a"', "JSON"),
        (b'{"a":"\xff"}', "UTF-8"),
        (b"{}", "not one list of messages"),
        (b'{"messages":null}', "not a list"),
        (b'{"messages":[],"messages":[]}', "not one list"),
        (b'{"messages":[],"n":2}', "more than one answer"),
        (b'{"messages":[],"n":"2"}', "more than one answer"),
        (b'{"messages":["hi"]}', "not an object"),
        (b'{"messages":[{"role":"critic","content":"x"}]}', "role"),
        (b'{"messages":[{"role":["user"],"content":"x"}]}', "role"),
        (b'{"messages":[{"content":"x"}]}', "role"),
    ],
)
def test_what_is_left_alone_says_why_and_keeps_its_bytes(body: bytes, why: str) -> None:
    request = CHAT.parse(body)
    assert request.conversation is None and why in request.why and request.body == body


@given(st.binary() | st.text().map(str.encode))
def test_parse_takes_anything(body: bytes) -> None:
    assert CHAT.parse(body).body == body


@pytest.mark.parametrize("n", [b"1", b"null", b"1.0"])
def test_one_answer_is_one_answer(n: bytes) -> None:
    assert CHAT.parse(b'{"messages":[],"n":' + n + b"}").conversation is not None


# --- ACR's own field


def test_the_field_acr_is_taken_out_and_nothing_else() -> None:
    body = b'{ "model" : "m", "acr": {"mode": "off"}, "top_p":1e-07,"messages":[]}'
    request = CHAT.parse(body)
    assert request.body == b'{ "model" : "m", "top_p":1e-07,"messages":[]}'
    assert request.controls == {"mode": "off"}


def test_the_field_acr_is_taken_out_also_where_messages_cannot_be_read() -> None:
    request = CHAT.parse(b'{"messages":7,"acr":{"bypass":true}}')
    assert request.body == b'{"messages":7}' and request.controls == {"bypass": True}


# --- writing

BODY = (
    b'{"model":"m", "seed":12345678901234567890,"top_p":1e-07,"temperature":1.0, "messages" : [\n'
    b'  {"role":"system","content":"s\\u00e9"} ,\n'
    b'  {"content":"one \\ud83d","role":"user"},\n'
    b'  {"role":"assistant","content":"a","x":1e-07},\n'
    b'  {"role":"user","name":"k","content":"two \\u00e4 \\/ \\ud83d"}\n'
    b' ], "stop":["\\u0041"], "stop":["B"] }'
)


def parsed() -> tuple[Conversation, object]:
    request = CHAT.parse(BODY)
    assert request.conversation is not None
    return request.conversation, request


def patched(*after: Turn) -> str:
    return CHAT.patch(CHAT.parse(BODY), Conversation(after)).decode()


def test_nothing_changed_is_nothing_changed() -> None:
    conversation, _ = parsed()
    assert patched(*conversation.turns).encode() == BODY


def test_a_lead_keeps_the_clients_own_spelling() -> None:
    (system, one, a, two), _ = parsed()[0].turns, None
    result = patched(system, one, a, two.prefixed('say "hi"\n'))
    old = '"content":"two \\u00e4 \\/ \\ud83d"'
    assert old in BODY.decode()
    assert result == BODY.decode().replace(old, '"content":"say \\"hi\\"\\ntwo \\u00e4 \\/ \\ud83d"')


def test_a_new_text_replaces_only_the_content() -> None:
    system, one, a, two = parsed()[0].turns
    result = patched(system, one.with_text("neu\ud83d"), a, two)
    assert result == BODY.decode().replace('"one \\ud83d"', '"neu\ufffd"')


def test_dropping_takes_its_separator_along() -> None:
    system, _, _, two = parsed()[0].turns
    result = patched(system, two)
    lines = BODY.decode().split("\n")
    assert result.split("\n") == [lines[0], lines[1].removesuffix(" ,") + ",", *lines[4:]]


def test_dropping_the_first() -> None:
    _, one, a, two = parsed()[0].turns
    result = patched(one, a, two)
    lines = BODY.decode().split("\n")
    assert result.split("\n") == [lines[0], *lines[2:]]


def test_inserting() -> None:
    system, one, a, two = parsed()[0].turns
    new = Turn(id="+0", role="user", text='n"', state="inserted")
    for turns_ in ([new, system, one, a, two], [system, new, one, a, two], [system, one, a, two, new]):
        messages = json.loads(patched(*turns_))["messages"]
        assert messages.pop(turns_.index(new)) == {"role": "user", "content": 'n"'}
        assert messages == json.loads(BODY)["messages"]


def test_a_list_of_parts_gets_the_lead_as_a_part_of_its_own_in_front() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:x"}}
    body = json.dumps({"messages": [{"role": "user", "content": [image, {"type": "text", "text": "t"}]}]})
    request = CHAT.parse(body.encode())
    assert request.conversation is not None
    (turn,) = request.conversation.turns
    result = CHAT.patch(request, Conversation((turn.prefixed("lead\n"),))).decode()
    assert result == body.replace('"content": [', '"content": [{"type":"text","text":"lead\\n"},')


def test_an_empty_list_of_parts_can_take_a_lead() -> None:
    request = CHAT.parse(b'{"messages":[{"role":"user","content":[ ]}]}')
    assert request.conversation is not None
    after = Conversation((request.conversation.turns[0].prefixed("lead"),))
    result = json.loads(CHAT.patch(request, after))
    assert result["messages"][0]["content"] == [{"type": "text", "text": "lead"}]


@pytest.mark.parametrize(
    "message", [b'{"role":"user","content":"a","content":"b"}', b'{"role":"user"}'], ids=["doubled", "none"]
)
def test_a_content_that_cannot_be_told_is_not_rewritten(message: bytes) -> None:
    request = CHAT.parse(b'{"messages":[' + message + b"]}")
    assert request.conversation is not None
    with pytest.raises(EditError):
        CHAT.patch(
            request, Conversation((replace(request.conversation.turns[0], text="c", state="rewritten"),))
        )


# --- any body, any change

JSON = st.recursive(
    st.sampled_from(
        ["1e-07", "1.0", "12345678901234567890", "-0", "null", "true", '"\\u00e9\\/"', '"\\ud83d"', "0.10"]
    ),
    lambda inner: st.lists(inner, max_size=3).map(lambda rows: "[ " + " ,".join(rows) + "]"),
    max_leaves=4,
)
TEXTS = st.text(max_size=12).map(json.dumps)
PARTS = st.lists(
    TEXTS.map(lambda text: '{"type":"text", "text":' + text + "}")
    | st.just('{"type":"image_url","image_url":{"url":"u"}}'),
    max_size=3,
).map(lambda rows: "[" + ", ".join(rows) + "]")
SPACE = st.sampled_from(["", " ", "\n\t"])


@st.composite
def message(draw: st.DrawFn) -> str:
    role = draw(st.sampled_from(["system", "developer", "user", "assistant"]))
    rows = [f'"role":"{role}"', '"content" : ' + draw(TEXTS | PARTS)]
    rows += [f'"x{number}":{value}' for number, value in enumerate(draw(st.lists(JSON, max_size=2)))]
    return "{" + draw(SPACE) + ",".join(draw(st.permutations(rows))) + draw(SPACE) + "}"


@st.composite
def body(draw: st.DrawFn) -> tuple[str, list[str]]:
    messages = draw(st.lists(message(), min_size=1, max_size=6))
    rows = [f'"f{number}" :{value}' for number, value in enumerate(draw(st.lists(JSON, max_size=4)))]
    comma = "," + draw(SPACE)
    rows.insert(
        draw(st.integers(0, len(rows))), f'"messages": [{draw(SPACE)}{comma.join(messages)}{draw(SPACE)}]'
    )
    return "{" + comma.join(rows) + "}" + draw(SPACE), messages


@given(body(), st.data())
def test_whatever_is_edited_all_else_keeps_its_bytes(
    made: tuple[str, list[str]], data: st.DataObject
) -> None:
    text, messages = made
    request = CHAT.parse(text.encode())
    assert request.conversation is not None
    after: list[Turn] = []
    for turn in request.conversation:
        what = data.draw(st.sampled_from(["keep", "keep", "drop", "lead", "insert", "rewrite"]))
        if what == "insert":
            after.append(Turn(id=f"+{turn.id}", role="user", text=data.draw(st.text()), state="inserted"))
        if what == "lead":
            turn = turn.prefixed(data.draw(st.text(min_size=1)))
        if what == "rewrite":
            turn = replace(turn, text=data.draw(st.text()), state="rewritten")
        if what != "drop":
            after.append(turn)
    result = CHAT.patch(request, Conversation(tuple(after))).decode()

    def others(document: str) -> list[str]:
        return [document[m.start : m.end] for m in members(document) if m.key != "messages"]

    assert others(result) == others(text)
    (new,) = (member for member in members(result, spread="messages") if member.key == "messages")
    assert new.elements is not None and len(new.elements) == len(after)
    for span, turn in zip(new.elements, after, strict=True):
        if turn.state == "kept":
            assert result[span.start : span.end] == messages[int(turn.id)]
    again = CHAT.parse(result.encode()).conversation
    assert again is not None
    for turn, read in zip(after, again, strict=True):
        assert turn.role == read.role
        parts = isinstance(turn.wire.get("content"), list)
        if turn.lead and parts:
            assert read.text.startswith(turn.lead) and turn.text.replace(turn.lead, "", 1) in read.text
        else:
            assert read.text == turn.text
