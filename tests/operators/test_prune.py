from acr import registry
from acr.engine import Engine
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators())


async def test_only_the_newest_attempt_stays() -> None:
    dialogue = talk(
        "How many shells did Leigh find?",
        "Let's assume 10. The answer is 10.",
        "Mimi found 24.",
        "Then 24. The answer is 24.",
        "Kyle found twice as many as Mimi.",
        "So 48. The answer is 48.",
        "Leigh found a third of what Kyle found.",
    )
    outcome = await ENGINE.run(dialogue, operator="prune")
    assert [turn.text for turn in outcome.conversation] == [
        "How many shells did Leigh find? Mimi found 24. Kyle found twice as many as Mimi.",
        "So 48. The answer is 48.",
        "Leigh found a third of what Kyle found.",
    ]


async def test_questions_of_the_model_are_no_failed_attempts() -> None:
    dialogue = talk(
        "What does the trip cost?",
        "Could you tell me how many people will travel?",
        "We are 3 people and stay for 2 nights.",
        "At 40 a night the total cost is 240.",
        "The train is 29 per person.",
    )
    outcome = await ENGINE.run(dialogue, operator="prune")
    assert not outcome.changed
