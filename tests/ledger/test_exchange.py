"""Decisions, questions, and what was taken up."""

import pytest

from acr.ledger import read
from acr.testing import talk


@pytest.mark.parametrize(
    ("proposal", "agreement"),
    [
        ("Aroma has a table at 7pm. Shall I book it?", "Yes, please."),
        ("I suggest the Blue Lagoon on Tuesday.", "Sounds good."),
        ("Soll ich das Zimmer reservieren?", "Ja gerne."),
        ("Je réserve Le Sakura ?", "D'accord."),
        ("¿Reservo La Mar?", "Vale."),
        ("Забронировать «Сулико»?", "Да."),
        ("要预订吗？", "好的。"),
    ],
)
def test_the_assistant_proposes_and_the_user_agrees(proposal: str, agreement: str) -> None:
    (decision,) = read(talk("Find me a place.", proposal, agreement)).decisions
    assert decision.proposal.text == proposal and decision.proposal.turn == "1"
    assert (decision.proposed_by, decision.settled_in) == ("assistant", "2")
    assert decision.settled_by in agreement


@pytest.mark.parametrize(
    "answer", ["No, thanks.", "Which one?", "Actually, make it 8pm.", "What does it cost?"]
)
def test_no_agreement_no_decision(answer: str) -> None:
    assert not read(talk("Find me a place.", "Shall I book Aroma at 7pm?", answer)).decisions


def test_the_user_says_and_the_assistant_confirms() -> None:
    ledger = read(
        talk("Meet Priya on Tuesday at 3pm.", "Done, it is in your calendar.", "No calls before 9.")
    )
    (decision,) = ledger.settled
    assert decision.proposal is ledger.items[0] and decision.proposed_by == "user"
    assert decision.settled_by == "Done, it is in your calendar."


def test_a_decision_that_was_overruled_does_not_stand() -> None:
    ledger = read(talk("Find a place.", "Shall I book Aroma?", "Yes.", "Booked.", "Lagoon instead of Aroma."))
    (decision, *_) = ledger.decisions
    assert decision.proposal.parts == ("Shall I book", "?") or "Aroma" not in " ".join(
        decision.proposal.parts
    )


def test_questions_of_both_sides() -> None:
    ledger = read(
        talk(
            "Plan a trip. What does it cost?",
            "I cannot say without more information. Where to?",
            "To Porto.",
            "About 400 euros. Do you need a hotel? And which month?",
            "In the month of May.",
        )
    )
    told = [(q.asked_by, q.text, q.answered_in, q.distance) for q in ledger.questions]
    assert told == [
        ("user", "What does it cost?", "3", 3),
        ("assistant", "Where to?", "2", 1),
        ("assistant", "Do you need a hotel?", None, 0),
        ("assistant", "And which month?", "4", 1),
    ]
    assert [question.text for question in ledger.open_questions] == ["Do you need a hotel?"]
    process = ledger.process
    assert (process.questions, process.answered, process.share_answered) == (4, 3, 0.75)
    assert process.turns_to_answer == pytest.approx(5 / 3)


def test_what_the_assistant_took_up() -> None:
    said = [
        "Book for 4 people on 12 May.",
        "For 4 on 12 May: Aroma.",
        "Near the old harbour.",
        "It is sunny today.",
    ]
    process = read(talk(*said, "Make it 5 people.")).process
    assert (process.commitments, process.grounded, process.open_commitments) == (3, 1, 2)
    assert (process.repairs, process.repaired) == (1, 0)
    assert read(talk(*said, "Make it 5 people.", "Updated.", "Thanks!")).process.repaired == 1


def test_an_empty_dialogue() -> None:
    process = read(talk()).process
    assert process.questions == process.commitments == 0 and process.share_answered == 1.0
