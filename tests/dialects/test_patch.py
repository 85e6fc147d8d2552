import pytest

from acr.conversation import Conversation, Turn
from acr.dialects import patch
from acr.dialects.splice import members
from acr.errors import EditError

TEXT = '{"m":[1 ,\t2,3]}'
TURNS = tuple(Turn(id, "user", id) for id in ("0", "1", "2"))


def array(*after: Turn, before: tuple[Turn, ...] = TURNS) -> str:
    (member,) = members(TEXT, spread="m")
    spans = member.elements or []
    return patch.array(TEXT, spans, Conversation(before), Conversation(after), lambda own, turn: f"<{own}>")


def test_kept_dropped_rewritten_and_inserted() -> None:
    one, two, three = TURNS
    assert array(one, two, three) == TEXT
    assert array(one, three) == '{"m":[1,3]}'
    assert array(two, three) == '{"m":[2,3]}'
    assert array(one, two.with_text("x"), three) == '{"m":[1 ,\t<2>,3]}'
    new = Turn("+0", "user", "n", state="inserted")
    assert array(new, one) == '{"m":[{"role":"user","content":"n"} ,\t1]}'


def test_a_turn_of_several_elements() -> None:
    before = (TURNS[0], TURNS[1])  # the second reaches to the end
    assert array(*before, before=before) == TEXT
    assert array(before[1], before=before) == '{"m":[2,3]}'
    assert array(before[0], before=before) == '{"m":[1]}'


def test_nothing_to_patch() -> None:
    with pytest.raises(EditError):
        patch.array('{"m":[]}', [], Conversation(()), Conversation(()), lambda own, turn: own)


@pytest.mark.parametrize(
    ("message", "turn", "expected"),
    [
        (
            '{"content":"\\u00e9","x":1.0}',
            Turn("0", "user", "é").prefixed('"'),
            '{"content":"\\"\\u00e9","x":1.0}',
        ),
        ('{"content":[ 1]}', Turn("0", "user", "").prefixed("L"), '{"content":[ {"type":"t","text":"L"},1]}'),
        ('{"content":[]}', Turn("0", "user", "").prefixed("L"), '{"content":[{"type":"t","text":"L"}]}'),
        ('{"content":null}', Turn("0", "user", "n", state="rewritten"), '{"content":"n"}'),
        ('{"content":[1]}', Turn("0", "user", "n", state="rewritten"), '{"content":"n"}'),
    ],
)
def test_contents(message: str, turn: Turn, expected: str) -> None:
    assert patch.content(message, turn, "t") == expected


@pytest.mark.parametrize("message", ["{}", '{"content":1,"content":2}'])
def test_a_content_that_cannot_be_told(message: str) -> None:
    with pytest.raises(EditError):
        patch.content(message, Turn("0", "user", "n", state="rewritten"), "t")
