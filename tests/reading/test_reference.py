import pytest

from acr.reading.dialogue import read
from acr.testing import talk

LIST = "1. Rex the brave\n2. Bello the dog\n3. Luna of the moon"


@pytest.mark.parametrize(
    "newest",
    [
        "Shorten the second one.",
        "Why?",
        "What about “Bello the dog”?",
        "I like Bello best, but with a longer name than that please.",
        "Kürze den zweiten.",
        "Traduis-le.",
        "¿Qué quieres decir?",
        "第二个改短一点",
        "二つ目を短くして",
        "두 번째 것을 줄여 줘",
        "Сократи второй",
    ],
)
def test_needs_what_the_assistant_wrote(newest: str) -> None:
    user = read(talk("Give me three names for a dog.", LIST, newest))[-1].users[-1]
    assert user.act == "reference"
    assert user.refers_to == ("1",)


@pytest.mark.parametrize(
    "newest",
    [
        "The dog is brown and three years old.",
        "It is for my niece in Norway.",
        "Der Hund ist braun und sehr alt.",
    ],
)
def test_stands_on_its_own(newest: str) -> None:
    user = read(talk("Give me three names for a dog.", LIST, newest))[-1].users[-1]
    assert user.act == "requirement"
    assert user.refers_to == ()


def test_a_figure_only_the_assistant_has_used() -> None:
    user = read(talk("What is 123*456?", "The result is 56088.", "And with 7 more than 56088, doubled."))[
        -1
    ].users[-1]
    assert user.refers_to == ("1",)


def test_a_name_the_user_has_taken_up_is_the_users_own() -> None:
    said = (
        "How many shells?",
        "Say Kyle found 30, so the answer is 30.",
        "Kyle found 48.",
        "Then 48. Answer: 48.",
    )
    user = read(talk(*said, "Leigh got a third of the shells that Kyle found."))[-1].users[-1]
    assert user.act == "requirement"
