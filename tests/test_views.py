import pytest

from acr.conversation import Conversation, Turn
from acr.edits import Drop, Rewrite
from acr.reading import dialogue
from acr.testing import talk
from acr.views import droppable, joint, needed, without


def test_user_turns_that_meet_are_joined() -> None:
    edits = without(talk("a", "b", "c", "d", "e"), {"1", "3"}, lambda turn: turn.text)
    assert edits == [Drop("1"), Drop("3"), Drop("0"), Drop("2"), Rewrite("4", "a. c. e")]


def test_what_stays_between_keeps_them_apart() -> None:
    edits = without(talk("a", "b", "c", "d", "e"), {"1"}, lambda turn: turn.text)
    assert edits == [Drop("1"), Drop("0"), Rewrite("2", "a. c")]


def test_a_turn_with_an_attachment_is_not_moved() -> None:
    picture = Turn("0", "user", "look", plain=False, attached=True)
    rest = talk("x", "b", "c", "d", "e").turns[1:]
    edits = without(Conversation((picture, *rest)), {"1", "3"}, lambda turn: turn.text)
    assert edits == [Drop("3"), Drop("2"), Rewrite("4", "c. e")]


def test_nothing_up_to_a_sealed_turn_is_touched() -> None:
    sealed = Turn("1", "assistant", "b", sealed=True)
    turns = talk("a", "b", "c", "d", "e").turns
    edits = without(Conversation((turns[0], sealed, *turns[2:])), {"1", "3"}, lambda turn: turn.text)
    assert edits == [Drop("3"), Drop("2"), Rewrite("4", "c. e")]


def test_needed_and_droppable_share_out_the_answers() -> None:
    said = (
        "How many shells did Leigh find?",
        "Say 30 / 3 = 10. The answer is 10.",
        "Why 10?",
        "Because 5+5 is 10.",
    )
    said += (
        "Mimi found 24 shells.",
        "Leigh found 24 / 3 = 8 shells. The answer is 8.",
        "Only the big red shells count.",
    )
    task = dialogue.read(talk(*said))[-1]
    assert needed(task) == {"1", "3"}
    assert [answer.turn.id for answer in droppable(task)] == ["5"]


@pytest.mark.parametrize(
    ("before", "after", "between"),
    [
        ("How many?", "Mimi has 24", " "),
        ("Mimi has 24", "Kyle has 3", ". "),
        ("我有三个", "你有两个", "。"),
        ("def f():\n    pass", "Rename it.", "\n\n"),
        ("Short.", "long " * 100, "\n\n"),
    ],
)
def test_joined_turns_read_on_as_prose(before: str, after: str, between: str) -> None:
    assert joint(before, after) == between
