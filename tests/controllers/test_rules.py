"""What the rules must touch and what they must leave alone."""

import pytest

from acr import registry
from acr.controllers.rules import RISK, SHARES, fewest
from acr.conversation import Conversation, Turn
from acr.engine import Engine
from acr.errors import ConfigError
from acr.signals import observe
from acr.testing import talk

LOST_LATE = talk(
    "How many shells did Leigh find?",
    "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10.",
    "Mimi found 24.",
    "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8.",
    "Kyle found twice as many as Mimi.",
)
ENGINE = Engine(registry.controller("rules"), registry.operators())

LOST = {
    "math": (
        "consolidate",
        talk(
            "How many shells did Leigh find?",
            "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10.",
            "Mimi found 24.",
            "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8.",
            "Kyle found twice as many as Mimi.",
        ),
    ),
    "refusals": (
        "consolidate",
        talk(
            "How many steps does Tom take?",
            "The problem does not provide the speed, so there is not enough information.",
            "Matt takes 20 steps a minute.",
        ),
    ),
    "calls": (
        "consolidate",
        talk(
            "What is the BMI of the two persons?",
            "[bmi(weight=70, height=170), bmi(weight=70, height=170)]",
            "Anna weighs 85 kg and is 180 cm tall.",
            "[bmi(weight=85, height=180), bmi(weight=70, height=170)]",
            "Her brother is 165 cm tall and weighs 60 kg.",
        ),
    ),
    "code": (
        "prune+recap",
        talk(
            "Write a function that keeps values of a list.",
            "```python\ndef keep(values):\n    return [value for value in values if value]\n```",
            "The threshold is 10.",
            "```python\ndef keep(values, threshold=10):\n    return [v for v in values if v > threshold]\n```",
            "Sort the list in descending order.",
        ),
    ),
    "polite requests": (
        "prune+recap",
        talk(
            "Write a function that greets a customer of our shop by name.",
            "```python\ndef greet(customer, shop):\n    return f'Welcome {customer} to {shop}!'\n```\nWould you like any changes?",
            "The shop is called Fjord and sells tents.",
            "```python\ndef greet(customer, shop='Fjord'):\n    return f'Welcome {customer} to {shop}, we sell tents!'\n```\nAnything else?",
            "Could you also mention that orders over 500 ship free?",
        ),
    ),
    "thanks and a fact": (
        "consolidate",
        talk(
            "How many shells did Leigh find?",
            "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10. Anything else?",
            "Thanks. Mimi found 24 shells.",
            "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8. Would you like an explanation?",
            "Thanks. Kyle found twice as many shells as Mimi.",
        ),
    ),
    "german": (
        "consolidate",
        talk(
            "Wie teuer wird die Reise nach Rom?",
            "Bei 5 Tagen kostet die Reise 5 * 100 = 500 Euro.",
            "Wir sind 3 Personen.",
            "Die Reise nach Rom kostet dann 3 * 500 = 1500 Euro für 3 Personen.",
            "Wir bleiben nur 2 Nächte zu je 40 Euro.",
        ),
    ),
    "chinese": (
        "consolidate",
        talk(
            "这次去罗马的旅行要花多少钱？",
            "大约 5 天，5 * 100 = 500 元，答案是 500。",
            "我们有 3 个人。",
            "去罗马的旅行 3 个人要 3 * 500 = 1500 元，答案是 1500。",
            "住 2 晚，每晚 40 元。",
        ),
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
    "edited draft": talk(
        "Plan three days in Lisbon.",
        "Day 1: Alfama, fado. Day 2: tower of Belem, museum. Day 3: Sintra, palace of Pena.",
        "Take out the museum, we have children with us.",
    ),
    "bug report": talk(
        "Write a function for the mean.",
        "```python\ndef mean(xs):\n    return sum(xs) / len(xs)\n```",
        "It crashes with ZeroDivisionError when nothing is positive.",
    ),
    "one after another": talk(
        "Convert 5 miles to kilometres.",
        "5 miles = 8.05 kilometres.",
        "Convert 9 miles to kilometres.",
        "9 miles = 14.5 kilometres.",
        "Convert 350 miles to kilometres.",
    ),
    "running total": talk(
        "I have 40 crates in the warehouse. Keep count for me.",
        "40 crates.",
        "12 went out this morning.",
        "40 - 12 = 28 crates are left.",
        "A lorry brought 30 more.",
        "28 + 30 = 58 crates.",
        "A third of what is there now goes to Leeds.",
    ),
    "computed, Italian": talk(
        "Quanto spendo di benzina?", "60 litri a 1,80 fanno 108 euro.", "Moltiplicalo per 3."
    ),
    "computed, Swedish": talk("Vad kostar golvet?", "20 m² gånger 400 kr = 8000 kr.", "Dela det med 8."),
    "computed, German": talk("Was kostet der Bus?", "40 * 15 = 600 Euro.", "Teil das durch 25."),
    "computed, French": talk("Combien de litres ?", "40 / 10 = 4 litres.", "Multiplie-le par 1,2."),
    "computed, Spanish": talk("¿Cuánto me queda?", "2000 - 300 = 1700 euros.", "Réstale 650 de alquiler."),
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
    operator, dialogue = LOST[name]
    outcome = await ENGINE.run(dialogue)
    assert outcome.changed, outcome.decision.reason
    assert outcome.decision.operator == operator
    assert 0 < outcome.decision.confidence <= 1


@pytest.mark.parametrize("name", ALONE)
async def test_leaves_alone(name: str) -> None:
    outcome = await ENGINE.run(ALONE[name])
    assert outcome.decision.operator is None
    assert outcome.conversation is outcome.original
    assert outcome.decision.reason


@pytest.mark.parametrize(
    ("spec", "operator"),
    [
        ("rules", "consolidate"),
        ("rules:100%", "consolidate"),
        ("rules:65%", "consolidate"),
        ("rules:60%", None),  # two stale answers are more common than that
        ("rules:0%", None),
        ("rules:prune", "prune"),
        ("rules:65%:recap", "recap"),
    ],
)
def test_a_rate_and_an_operator(spec: str, operator: str | None) -> None:
    decision = registry.controller(spec).decide(LOST_LATE, observe(LOST_LATE))
    assert decision.operator == operator
    assert decision.reason


@pytest.mark.parametrize("spec", ["rules:120%", "rules:-1%", "rules:x%", "rules:%"])
def test_a_rate_that_is_none(spec: str) -> None:
    with pytest.raises(ConfigError, match="between 0% and 100%"):
        registry.controller(spec)


def test_a_rate_is_kept_on_the_dialogues_it_was_set_on() -> None:
    assert all(share <= 0.2 for share in SHARES[fewest("20%") - 1 :])
    assert SHARES[fewest("20%") - 2] > 0.2
    assert list(SHARES) == sorted(SHARES, reverse=True)
    assert list(RISK) == sorted(RISK)
