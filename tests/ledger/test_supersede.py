"""Latest value wins, and nothing else is marked."""

import pytest

from acr.ledger import read
from acr.testing import talk


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("With almond milk.", "Actually use oat milk, not almond."),
        ("With almond milk.", "Use oat milk instead of almond milk."),
        ("Mit Mandelmilch, bitte.", "Nimm lieber doch Hafermilch statt Mandelmilch."),
        ("Book for 12 people.", "Actually, make it 15 people."),
        ("Budget is 300.", "Budget is 500."),
        ("Avec du lait d'amande.", "En fait, du lait d'avoine, pas d'amande."),
    ],
)
def test_overruled(old: str, new: str) -> None:
    items = read(talk(old, "ok", new)).items
    assert items[0].replaced_by == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Maria kept 1 balloon for herself.",
            "Actually, Maria's mom gave everyone an extra 3 balloons for free.",
        ),
        ("Sadie slept 8 hours on Monday.", "Sadie slept 9 hours on Tuesday."),
        ("Write a poem about the sea.", "Do not use the word blue."),
        ("He has 3 dogs.", "He has 2 cats."),
        ("The jar costs $5.", "It is not a big jar."),
    ],
)
def test_not_overruled(old: str, new: str) -> None:
    items = read(talk(old, "ok", new)).items
    assert items[0].replaced_by is None


def test_a_value_withdrawn_and_brought_back() -> None:
    items = read(
        talk("Budget is 300.", "ok", "Budget is 500.", "ok", "Budget is 300 euro now.", "ok", "Go on then.")
    ).items
    assert items[0].replaced_by == "Budget is 500."
