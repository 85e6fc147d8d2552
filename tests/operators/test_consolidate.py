import pytest

from acr import registry
from acr.engine import Engine, Outcome
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators())


async def consolidate(*texts: str, system: str | None = None) -> Outcome:
    outcome = await ENGINE.run(talk(*texts, system=system), operator="consolidate")
    assert outcome.failure is None
    return outcome


async def test_one_specification_instead_of_the_dialogue() -> None:
    outcome = await consolidate(
        "How many shells did Leigh find?",
        "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10.",
        "Mimi found 24.",
        "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8.",
        "Kyle found twice as many as Mimi.",
        "Kyle has 2 * 24 = 48 shells, so Leigh and Mimi have 24. The answer is 24.",
        "Leigh found a third of what Kyle found.",
        system="Be brief.",
    )
    assert [turn.role for turn in outcome.conversation] == ["system", "user"]
    assert outcome.conversation.turns[-1].text == (
        "How many shells did Leigh find? "
        "Mimi found 24. "
        "Kyle found twice as many as Mimi. "
        "Leigh found a third of what Kyle found."
    )


async def test_it_grows_at_the_end_only() -> None:
    said = [
        "What does the trip cost?",
        "About 100.",
        "We are 3 people.",
        "Then 300 in all.",
        "Two nights at 40 each.",
    ]
    first = await consolidate(*said)
    second = await consolidate(*said, "So 540 in all, breakfast included.", "The train is 29 per person.")
    assert second.conversation.turns[0].text.startswith(first.conversation.turns[0].text)


async def test_latest_value_wins_and_the_old_one_is_marked() -> None:
    outcome = await consolidate(
        "What does breakfast with almond milk cost for us?",
        "Say 5 guests at 4 euro: 5 * 4 = 20 euro with almond milk.",
        "We are 12 guests.",
        "Breakfast with almond milk costs 12 * 4 = 48 euro for the guests.",
        "Take oat milk, not almond, Kim is allergic.",
    )
    text = outcome.conversation.turns[-1].text
    assert "with almond milk cost for us (→ Take oat milk, not almond, Kim is allergic)?" in text


@pytest.mark.parametrize(
    "newest",
    [
        "Shorten the second one.",
        "Why did you choose Bello?",
        "Kürze den zweiten.",
        "把第二个改短一点",
        "What about “Bello the dog”?",
    ],
)
async def test_what_the_newest_turn_refers_to_stays(newest: str) -> None:
    answer = "1. Rex the brave\n2. Bello the dog\n3. Luna of the moon"
    outcome = await consolidate("Give me three names for a dog.", answer, newest)
    assert [turn.text for turn in outcome.conversation] == ["Give me three names for a dog.", answer, newest]


async def test_answers_to_the_users_own_questions_stay() -> None:
    outcome = await consolidate(
        "What does the trip to Rome cost?",
        "Say 5 days, so the trip costs 5 * 20 = 100 euro.",
        "How long is the flight from Oslo?",
        "About 3 hours and 10 minutes.",
        "We are 3 people.",
        "The trip to Rome costs 3 * 100 = 300 euro for 3 people.",
        "Two nights at 40 euro each.",
    )
    texts = [turn.text for turn in outcome.conversation]
    assert "About 3 hours and 10 minutes." in texts
    assert not any("5 * 20" in text for text in texts)


async def test_a_short_reply_keeps_the_question_it_answers() -> None:
    outcome = await consolidate(
        "Book a table.",
        "For how many people should I book it?",
        "Six",
        "And when?",
        "We come at 19:30 on Friday.",
    )
    assert "For how many people should I book it?" in [turn.text for turn in outcome.conversation]


async def test_an_earlier_task_is_left_alone() -> None:
    said = ["Translate the menu.", "Here it is: soup, fish, cake.", "Thanks, perfect.", "You're welcome."]
    outcome = await consolidate(*said, "What does a table for six cost?")
    assert not outcome.changed


async def test_what_does_not_get_shorter_is_left_alone() -> None:
    outcome = await consolidate(
        "Name a colour.", "Red", "Actually name a fruit, not a colour, and say why you like it."
    )
    assert not outcome.changed
