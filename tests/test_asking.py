import pytest

from acr import asking
from acr.errors import OperatorError
from acr.reading import dialogue
from acr.testing import talk

BOOK = ("Book a table.", "For how many people should I book it?")


def tasks(*said: str) -> list[dialogue.Task]:
    return dialogue.read(talk(*said))


def test_never_unless_allowed() -> None:
    assert asking.left(tasks("Book a table."), 0) == 0
    assert asking.left(tasks("Book a table."), 1) == 1


@pytest.mark.parametrize("allowed", [1, 2, 3])
def test_questions_in_a_row_are_counted_from_the_conversation(allowed: int) -> None:
    once = tasks(*BOOK, "Outside, if there is no rain.")
    twice = tasks(
        *BOOK, "Outside, if there is no rain.", "And on which day?", "We are not sure about the day yet."
    )
    between = tasks(*BOOK, "Six of us.", "I booked a table for 6 people at 19:00.", "It should be on Friday.")
    assert asking.left(once, allowed) == allowed - 1
    assert asking.left(twice, allowed) == max(0, allowed - 2)
    assert asking.left(between, allowed) == allowed


@pytest.mark.parametrize(
    "said",
    [
        "Just do it.",
        "No questions please, just answer.",
        "Frag nicht, mach einfach.",
        "Vas-y, ne demande pas.",
        "Hazlo ya, no preguntes.",
        "Faça logo, não pergunte.",
        "Fallo e basta, non chiedere.",
        "Doe het gewoon.",
        "Gör det bara.",
        "Po prostu zrób, nie pytaj.",
        "Просто сделай.",
        "Sadece yap, sorma.",
        "لا تسأل",
        "मत पूछो",
        "别问，直接做",
        "とにかくやって",
        "그냥 해",
    ],
)
def test_never_once_the_user_said_to_go_ahead(said: str) -> None:
    assert asking.left(tasks(said), 5) == 0
    assert (
        asking.left(tasks("Book a table.", "For 2.", said, "ok", "On Friday at 8, near the window."), 5) == 0
    )


def test_the_models_own_question_is_asked_again_word_for_word() -> None:
    said = tasks(
        *BOOK, "We want to sit outside if there is no rain.", "I booked it.", "It should be on Friday."
    )
    assert asking.unanswered(said[-1]) == BOOK[1]


@pytest.mark.parametrize("text", ["No question.", "One?\nTwo?", "x" * 400 + "?", ""])
def test_only_one_short_question(text: str) -> None:
    with pytest.raises(OperatorError):
        asking.check(text, 1)


def test_nor_where_none_is_left() -> None:
    asking.check("How many?", 1)
    with pytest.raises(OperatorError):
        asking.check("How many?", 0)
