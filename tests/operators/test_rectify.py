import pytest

from acr import registry
from acr.conversation import Conversation
from acr.engine import Engine, Outcome
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators())


async def rectify(conversation: Conversation) -> Outcome:
    outcome = await ENGINE.run(conversation, operator="rectify")
    assert outcome.failure is None
    return outcome


async def texts(*said: str) -> list[str]:
    return [turn.text for turn in (await rectify(talk(*said))).conversation]


async def test_the_users_and_the_assistants_sentence_are_marked() -> None:
    assert await texts(
        "Book a table for 12 people.",
        "I reserved a table for 12 people. It is near the window.",
        "Make it 15 people.",
    ) == [
        "Book a table for 12 people (→ Make it 15 people).",
        "I reserved a table for 12 people (→ Make it 15 people). It is near the window.",
        "Make it 15 people.",
    ]


async def test_an_answer_that_goes_on_repeating_the_old_value() -> None:
    said = await texts(
        "What does lunch for 12 people cost?",
        "At 10 euro each, 12 people pay 120 euro.",
        "Make it 15 people.",
        "For 12 people that is 12 * 10 = 120 euro.",
        "And each gets a drink for 3 euro.",
    )
    assert said[3] == "For 12 people that is 12 * 10 = 120 euro (→ Make it 15 people)."


async def test_a_word_set_against_another() -> None:
    said = await texts(
        "A breakfast with almond milk, please.",
        "The breakfast comes with almond milk.",
        "Take oat milk, not almond.",
    )
    assert said[1] == "The breakfast comes with almond milk (→ Take oat milk, not almond)."


@pytest.mark.parametrize(
    "said",
    [
        # knows both values: it tells of the change
        (
            "For 12 people.",
            "Noted.",
            "Make it 15 people.",
            "I changed 12 people to 15 people.",
            "Thanks, go on.",
        ),
        # another 12 that still holds
        ("Lunch for 12 people. A bus for 12 people too.", "A bus for 12 people: 90 euro.", "Red, please."),
        # nothing overruled
        ("Lunch for 12 people.", "Lunch for 12 people it is.", "On Friday."),
    ],
)
async def test_what_is_not_certain_stays(said: tuple[str, ...]) -> None:
    marked = await texts(*said)
    assert [m for m, s in zip(marked[1::2], said[1::2], strict=True) if m != s] == []


async def test_a_draft_gets_no_mark() -> None:
    draft = "Dear all,\n\nwe expect 12 people on Friday.\n\nPlease tell us what you eat.\n\nYours, Kim"
    said = await texts("Write an invitation for 12 people.", draft, "Make it 15 people.")
    assert said[1] == draft


async def test_code_and_tables_get_no_mark() -> None:
    answer = "12 people * 4 = 48 euro.\n```\nprint('12 people')\n```\n| who | 12 people |"
    question = "What do 12 people pay at 4 euro each?"
    said = await texts(question, answer, "Make it 15 people.", "All right.", "What does each pay?")
    assert said[1] == answer.replace("48 euro.", "48 euro (→ Make it 15 people).")


async def test_an_answer_with_code_that_the_newest_turn_corrects_stays() -> None:
    answer = "12 people * 4 = 48 euro.\n```\nprint('12 people')\n```"
    assert (await texts("What do 12 people pay at 4 euro each?", answer, "Make it 15 people."))[1] == answer


async def test_no_word_is_lost() -> None:
    before = talk(
        "Plan lunch for 12 people; no nuts!", "12 people, no nuts.", "Make it 15 people.", "Fine.", "Go."
    )
    after = (await rectify(before)).conversation
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        kept = new.text.replace(" (→ Make it 15 people)", "")
        assert kept == old.text
