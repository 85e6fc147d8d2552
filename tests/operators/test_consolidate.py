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
        "Let's assume 10. The answer is 10.",
        "Mimi found 24.",
        "Then 24. The answer is 24.",
        "Kyle found twice as many as Mimi.",
        "So 48. The answer is 48.",
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
        "Plan breakfast for 12, with almond milk.",
        "Porridge with almond milk, berries, and toast for everyone.",
        "Some of the guests are vegan.",
        "Porridge with almond milk, berries, and toast without butter for everyone.",
        "Actually use oat milk, not almond, Kim is allergic.",
    )
    text = outcome.conversation.turns[-1].text
    assert "with almond milk (→ Actually use oat milk, not almond, Kim is allergic)." in text


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
        "Plan a trip to Rome for two.",
        "Day 1: Colosseum. Day 2: Vatican.",
        "How long is the flight from Oslo?",
        "About 3 hours and 10 minutes.",
        "We leave on 3 May.",
        "Then: 3 May Colosseum, 4 May Vatican.",
        "Our budget is 900 euro.",
    )
    texts = [turn.text for turn in outcome.conversation]
    assert "About 3 hours and 10 minutes." in texts
    assert not any("Day 1: Colosseum" in text for text in texts)


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
