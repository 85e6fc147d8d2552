"""Latest value wins, and nothing else is marked."""

import pytest

from acr.ledger import read
from acr.testing import talk


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("With almond milk.", "Actually use oat milk, not almond."),
        ("Wir sind 12 Personen.", "Ich meinte 15 Personen."),
        ("With almond milk.", "Use oat milk instead of almond milk."),
        ("Mit Mandelmilch, bitte.", "Nimm lieber doch Hafermilch statt Mandelmilch."),
        ("Book for 12 people.", "Actually, make it 15 people."),
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
        ("Budget is 300.", "Budget is 500."),
        ("Ann has 12 apples.", "Bob has 8 apples."),
        ("Day 2 cost 30 euros.", "Day 3 cost 20 euros."),
        ("I am 41 years old.", "Sorry, forgot to say: my daughter is 4 years old."),
        (
            "There should be meat for the adults.",
            "Actually the kids do not eat meat at all, give them halloumi.",
        ),
        ("The jar costs $5.", "It is not a big jar."),
    ],
)
def test_not_overruled(old: str, new: str) -> None:
    items = read(talk(old, "ok", new)).items
    assert items[0].replaced_by is None


def test_a_value_corrected_twice() -> None:
    said = ("Book for 12 people.", "ok", "Make it 15 people.", "ok", "I meant 14 people, sorry for that.")
    items = read(talk(*said)).items
    assert [item.replaced_by for item in items[:2]] == [
        "Make it 15 people.",
        "I meant 14 people, sorry for that.",
    ]
