"""Turns that take back or replace what an earlier one asked for."""

import pytest

from acr.reading.dialogue import read
from acr.signals import observe
from acr.testing import talk

QUERY = "```sql\nSELECT name, city FROM members WHERE left_on IS NULL;\n```"
AFTER = "```sql\nSELECT name, city FROM members;\n```"
OPENING, WISH = "Write a query for all members.", "Round the fee to 2 digits."


@pytest.mark.parametrize(
    "text",
    [
        "No, keep those who left.",
        "Scratch that, all members.",
        "Make it 3 columns instead.",
        "Round the fee to 1 digit.",
        "Nein, doch mit allen.",
        "Annule ça.",
        "Olvida lo de la tarifa.",
        "Esquece isso.",
        "Нет, всех.",
        "算了,都要。",
        "やっぱり全員で。",
        "방금 건 취소해 줘.",
    ],
)
def test_once_answered_nothing_before_it_is_restated(text: str) -> None:
    told = talk(OPENING, QUERY, WISH, QUERY, text, AFTER, "Only members of the club in Kiel.")
    user = read(told)[-1].users[2]
    assert user.edits or (user.refers_to and not user.leans)
    assert observe(told)["referred"].value


@pytest.mark.parametrize(
    "text",
    [
        "No blanks.",
        "No more than 3 columns.",
        "By fee I mean the yearly fee.",
        "Round the age to 1 digit.",
        "Round the fee to 2 digits.",
        "Nie mehr als 3 Spalten.",
        "Верни NULL для пустых.",
    ],
)
def test_what_only_says_more_is_restated(text: str) -> None:
    told = talk(OPENING, QUERY, WISH, QUERY, text, AFTER, "Only members of the club in Kiel.")
    assert not observe(told)["referred"].value
