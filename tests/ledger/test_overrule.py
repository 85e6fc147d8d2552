"""What no longer holds, and what still does."""

import pytest

from acr.ledger import Ledger, read
from acr.testing import talk


def state(*said: str) -> Ledger:
    """The ledger of user turns between which the assistant says nothing of note."""
    texts = [text for one in said for text in (one, "ok")]
    return read(talk(*texts[:-1]))


def gone(*said: str) -> list[str]:
    """What earlier turns no longer hold, verbatim."""
    ledger = state(*said)
    return [item.text[g.start : g.end] for item in ledger.items for g in item.gone if g.turn != item.turn]


@pytest.mark.parametrize(
    ("old", "new", "struck"),
    [
        ("Book for 4 people on Friday at 7pm.", "Actually, make it 5 people.", ["4"]),
        ("Book for 4 people on Friday at 7pm.", "And 8pm instead of 7pm.", ["7pm"]),
        ("Book for 4 people on Friday at 7pm.", "Saturday, not Friday.", ["Friday"]),
        ("Budget is 300.", "Budget is 500.", ["300"]),
        ("Sortiere absteigend, höchstens 5 Fehler.", "Höchstens 8 Fehler.", ["5"]),
        ("Tisch um 19 Uhr.", "Lieber um 20 Uhr.", ["19 Uhr"]),
        ("Flug am 3. Mai.", "Am 4. Mai, nicht am 3. Mai.", ["3. Mai"]),
        ("Une table pour 3 personnes.", "Plutôt 4 personnes.", ["3"]),
        ("住2晚。", "住3晚。", ["2"]),
        ("予算は4万円です。", "予算は5万円です。", ["4万円"]),
        ("4人で予約。", "やっぱり5人です。", ["4"]),
        ("Fly from Dublin to Rome.", "Actually to Naples.", ["Rome"]),
        ("A hotel with a pool.", "The pool isn't needed.", ["pool"]),
        ("Commande 3 baguettes.", "Annule les baguettes.", ["3 baguettes"]),
        ("Hotel mit Parkplatz.", "Ohne Parkplatz.", ["Parkplatz"]),
        ("3 teas for Bob.", "Actually Bob takes 4 teas.", ["3"]),
    ],
)
def test_the_latest_value_wins(old: str, new: str, struck: list[str]) -> None:
    assert gone(old, new) == struck


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2 teas for Ann. 3 cakes for Bob.", "Actually, make it 5."),
        ("He has 3 dogs.", "He has 2 cats."),
        ("Ann has 12 apples.", "Bob has 8 apples."),
        ("Day 2 cost 30 euros.", "Day 3 cost 20 euros."),
        ("The jar has 9 blue pens.", "The jar has 21 black pens."),
        ("I am 41 years old.", "Sorry, forgot to say: my daughter is 4 years old."),
        ("Maria kept 1 balloon.", "Actually, Maria's mom gave everyone an extra 3 balloons."),
        ("A bag originally cost $150.", "The bag is on sale for $135."),
        ("Tony finds an 8-foot rope.", "Tony finds a 20-foot rope."),
        ("小明有3个苹果。", "小红有5个苹果。"),
        ("The class has 400 students.", "There are 90 tall students in the class."),
        ("Add nuts to the salad.", "The werewolf eats fresh people, not drained ones."),
        ("Two nights in Porto.", "Also two nights in Braga and 3 nights in Faro."),
    ],
)
def test_what_is_ambiguous_stays(old: str, new: str) -> None:
    assert gone(old, new) == []


def test_a_bare_answer_to_a_question_fills_another_slot() -> None:
    ledger = read(talk("3 nights in Porto.", "And how many in Braga?", "2 nights."))
    assert not ledger.superseded


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (
            ("A table with parking.", "Forget the parking.", "We do need parking after all."),
            "A table with parking.",
        ),
        (("Fly economy.", "Change economy to business.", "Go back to economy."), "Fly economy."),
        (("Tisch mit Sauna.", "Vergiss die Sauna.", "Die Sauna bitte doch wieder."), "Tisch mit Sauna."),
    ],
)
def test_withdrawn_and_reinstated(said: tuple[str, ...], holds: str) -> None:
    first = state(*said[:2]).items[0]
    assert first.parts != (first.text,)
    ledger = state(*said)
    assert ledger.items[0].parts == (holds,)
    assert not any("business" in part for item in ledger.current for part in item.parts)


def test_what_is_named_only_to_overrule_it_does_not_hold() -> None:
    item = state("With almond milk.", "Oat milk, not almond.").items[1]
    assert item.kind == "correction" and item.parts == ("Oat milk, not",)


def test_a_prohibition_keeps_its_words_and_takes_back_what_was_asked_for() -> None:
    ledger = state("A salad with nuts.", "No nuts, please.")
    assert [item.kind for item in ledger.items] == ["goal", "prohibition"]
    assert ledger.items[0].parts == ("A salad with",) and ledger.items[1].parts == ("No nuts, please.",)


def test_saying_the_same_again_brings_it_back() -> None:
    ledger = state("Book a table.", "For 4 people.", "Make it 5 people.", "For 4 people.")
    assert [item.parts for item in ledger.items[1:]] == [
        ("For", "people."),
        ("Make it", "people."),
        ("For 4 people.",),
    ]


def test_a_list_of_what_was_said_brings_nothing_back() -> None:
    ledger = state(
        "Book a table.", "For 4 people.", "Make it 5 people.", "Again:\n- For 4 people.\n- Make it 5 people."
    )
    assert ledger.items[1].parts == ("For", "people.") and ledger.items[2].holds


def test_another_task_is_left_alone() -> None:
    ledger = read(
        talk("Book for 4 people.", "Booked.", "Thanks, perfect!", "Bye.", "New task: a cake for 9 people?")
    )
    assert ledger.task > 0 and not ledger.items[0].gone


def test_what_stands_is_over_with_no_task() -> None:
    said = ("Write a poem. Never use rhymes. Always answer in German.", "Ok.", "Thanks, perfect!", "Bye.")
    ledger = read(talk(*said, "New question: what is 2 + 2?"))
    assert ledger.task > 0
    assert [(item.kind, item.text) for item in ledger.standing] == [
        ("prohibition", "Never use rhymes."),
        ("preference", "Always answer in German."),
    ]
