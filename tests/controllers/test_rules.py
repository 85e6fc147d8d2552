"""What the rules must touch and what they must leave alone."""

import pytest

from acr import registry
from acr.conversation import Conversation, Turn
from acr.engine import Engine
from acr.testing import talk

ENGINE = Engine(registry.controller("rules"), registry.operators())

LOST = {
    "math": talk(
        "How many shells did Leigh find?",
        "Let's assume 10. The answer is 10.",
        "Mimi found 24.",
        "Then 24. The answer is 24.",
        "Kyle found twice as many as Mimi.",
    ),
    "code": talk(
        "Write a Python function that filters a list.",
        "```python\ndef f(xs):\n    return [x for x in xs if x]\n```",
        "It takes a second argument, a threshold of 10.",
        "```python\ndef f(xs, t=10):\n    return [x for x in xs if x > t]\n```",
        "Sort the result in descending order.",
    ),
    "german": talk(
        "Wie teuer wird die Reise?",
        "Ungefähr 500 Euro, wenn man 5 Tage annimmt.",
        "Wir sind 3 Personen.",
        "Dann sind es 1500 Euro.",
        "Wir bleiben nur 2 Nächte zu je 40 Euro.",
    ),
    "chinese": talk(
        "这次旅行要花多少钱？",
        "大约 500 元，答案是 500。",
        "我们有 3 个人。",
        "那就是 1500 元。",
        "住 2 晚，每晚 40 元。",
    ),
}

ALONE = {
    "single turn": talk("How many shells did Leigh find?"),
    "chit-chat": talk("Hi there!", "Hello! How are you?", "Fine, thanks!"),
    "thanks": talk("How many shells?", "10. The answer is 10.", "Mimi found 24.", "24.", "Great, thank you!"),
    "ordinal": talk("Name three dogs.", "1. Rex 2. Bello 3. Luna", "Shorten the second one."),
    "why": talk("How many shells?", "10. The answer is 10.", "Why 10?"),
    "your code": talk(
        "Write a sort function.",
        "```python\ndef f(x):\n    return sorted(x)\n```",
        "Rename the argument in your code.",
    ),
    "quoted": talk(
        "Write a slogan.", "Fresh bread, bright mornings.", "I like “bright mornings”, keep only that."
    ),
    "assistant's figure": talk("What is 123*456?", "The result is 56088.", "Add 7 to 56088."),
    "new topic": talk("How many?", "10.", "Mimi found 24.", "24.", "Different topic: who wrote Faust?"),
    "reply to a question": talk("Book a table.", "For how many people?", "Six"),
    "french": talk(
        "Donne trois idées.", "1. Un pique-nique 2. Un film 3. Un musée", "Développe la deuxième."
    ),
    "japanese": talk("名前を三つください。", "1. レックス 2. ベロ 3. ルナ", "二つ目を短くして"),
    "clarifying model": talk(
        "How long will the food last?",
        "Could you tell me how much the cats eat per day?",
        "Each cat eats 60 grams a day.",
    ),
    "tools": Conversation(
        (
            Turn("0", "user", "Weather in Oslo?"),
            Turn("1", "assistant", "", calls=("c",), plain=False),
            Turn("2", "tool", "4 degrees", answers=("c",)),
            Turn("3", "assistant", "It is 4 degrees."),
            Turn("4", "user", "And for 3 May, in Fahrenheit, with wind."),
        )
    ),
}


@pytest.mark.parametrize("name", LOST)
async def test_intervenes(name: str) -> None:
    outcome = await ENGINE.run(LOST[name])
    assert outcome.changed, outcome.decision.reason
    assert outcome.decision.operator == "consolidate"
    assert 0 < outcome.decision.confidence <= 1


@pytest.mark.parametrize("name", ALONE)
async def test_leaves_alone(name: str) -> None:
    outcome = await ENGINE.run(ALONE[name])
    assert outcome.decision.operator is None
    assert outcome.conversation is outcome.original
    assert outcome.decision.reason
