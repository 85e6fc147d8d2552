import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.dialects.splice import dumps, elements, members, replace, text_of, without
from acr.errors import ConversationError
from acr.text import clean

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
LAYOUTS = st.sampled_from([{}, {"indent": 1}, {"separators": (" ,\t", "\r\n: ")}, {"ensure_ascii": False}])


@given(st.dictionaries(st.text(), VALUES), LAYOUTS)
def test_members_are_where_they_are_said_to_be(value: dict[str, object], layout: dict[str, object]) -> None:
    text = " " + json.dumps(value, **layout) + "\n"
    found = members(text)
    assert {member.key: member.value for member in found} == value
    for member in found:
        assert json.loads(text[member.value_start : member.end]) == member.value
        assert json.loads("{" + text[member.start : member.end] + "}") == {member.key: member.value}


@given(st.lists(VALUES), LAYOUTS)
def test_elements_are_where_they_are_said_to_be(value: list[object], layout: dict[str, object]) -> None:
    text = json.dumps({"a": 1, "list": value}, **layout)
    (_, member) = members(text, spread="list")
    assert member.elements is not None
    assert [json.loads(text[span.start : span.end]) for span in member.elements] == value == member.value
    assert elements(text, member.value_start) == member.elements


@given(st.lists(st.tuples(st.sampled_from(["acr", "b", "c"]), VALUES)), LAYOUTS)
def test_taking_out_a_key_leaves_the_others_as_they_were(
    pairs: list[tuple[str, object]], layout: dict[str, object]
) -> None:
    comma, colon = layout.get("separators", (", ", ": "))  # type: ignore[misc]
    rows = [json.dumps(key) + colon + json.dumps(value, **layout) for key, value in pairs]
    text = "{" + comma.join(rows) + "}"
    result = without(text, members(text), "acr")
    left = [row for row, (key, _) in zip(rows, pairs, strict=True) if key != "acr"]
    assert [result[m.start : m.end] for m in members(result)] == left
    if len(left) == len(rows):
        assert result == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "[1]",
        '"a"',
        "{",
        '{"a"',
        '{"a":',
        '{"a":1',
        '{"a":1,',
        '{"a":1,}',
        '{"a":1}x',
        '{"a":1} {"b":2}',
        "{'a':1}",
        "{a:1}",
        '{"a":01}',
        '{"a":"\n"}',
        '{"a":"\\ud8"}',
        "\ufeff{}",
        '{"a":' + "[" * 100_000,
        '{"a":' + "9" * 5_000 + "}",
    ],
)
def test_what_is_no_object_is_refused_not_guessed(text: str) -> None:
    with pytest.raises(ConversationError):
        members(text)


def test_doubled_keys_are_both_seen() -> None:
    assert [(m.key, m.value) for m in members('{"a":1,"a":2}')] == [("a", 1), ("a", 2)]


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(ConversationError):
        text_of(b'{"a":"\xff"}')


def test_replace_takes_pieces_in_any_order() -> None:
    assert replace("abcdef", [(4, 5, "E"), (0, 1, ""), (2, 2, "+")]) == "b+cdEf"


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_can_be_written(text: str) -> None:
    written = dumps({"content": text}).encode("utf-8")
    assert json.loads(written)["content"] == clean(text)


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert json.loads(dumps("a\ud83db\ud83d\ude00")) == "a\ufffdb\U0001f600"
