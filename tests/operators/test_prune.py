from acr import registry
from acr.engine import Engine
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators())


async def test_only_the_newest_attempt_stays() -> None:
    newest = "Kyle has 2 * 24 = 48 shells, so Leigh and Mimi have 24. The answer is 24."
    dialogue = talk(
        "How many shells did Leigh find?",
        "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10.",
        "Mimi found 24.",
        "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8.",
        "Kyle found twice as many as Mimi.",
        newest,
        "Leigh found a third of what Kyle found.",
    )
    outcome = await ENGINE.run(dialogue, operator="prune")
    assert [turn.text for turn in outcome.conversation] == [
        "How many shells did Leigh find? Mimi found 24. Kyle found twice as many as Mimi.",
        newest,
        "Leigh found a third of what Kyle found.",
    ]


async def test_older_versions_of_a_draft_go() -> None:
    first = "def keep(values):\n    return [value for value in values if value]"
    second = "def keep(values, threshold=10):\n    return [value for value in values if value > threshold]"
    dialogue = talk(
        "Write a function that keeps values of a list.",
        first,
        "The threshold is 10.",
        second,
        "Sort the list by size.",
    )
    outcome = await ENGINE.run(dialogue, operator="prune")
    assert [turn.text for turn in outcome.conversation if turn.role == "assistant"] == [second]


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
