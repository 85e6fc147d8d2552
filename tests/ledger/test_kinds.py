import pytest

from acr.ledger import read
from acr.testing import talk


def kind(text: str) -> str:
    return read(talk("Plan a party.", "ok", text)).items[-1].kind


@pytest.mark.parametrize(
    "text",
    [
        "Never book anything before 9:30.",
        "Don't use pandas.",
        "No peanuts please, my son is allergic.",
        "It must not print anything.",
        "Nothing with food in it, please.",
        "Verwende keine externen Bibliotheken.",
        "Schlag mir nie etwas mit Fleisch vor.",
        "Das darf nicht länger dauern.",
        "N'utilise pas rsync.",
        "Ne me propose jamais de sucre.",
        "Que no esté en el centro.",
        "Nunca uses unwrap.",
        "Niente camere al piano terra.",
        "Не используй unsafe.",
        "不要使用第三方库。",
        "午前中は避けてください。",
    ],
)
def test_prohibitions(text: str) -> None:
    assert kind(text) == "prohibition"


@pytest.mark.parametrize(
    "text",
    [
        "I called him twice already and he never answered.",
        "I don't think that it rhymes well.",
        "Mein Ofen hat keine Umluft.",
        "Le cadre n'est pas en aluminium.",
        "Vamos en octubre y no tenemos coche.",
        "The way home has a hill and there are no showers at work.",
        "Non, garde la bleue.",
    ],
)
def test_that_something_is_not_forbids_nothing(text: str) -> None:
    assert kind(text) != "prohibition"


@pytest.mark.parametrize(
    "text",
    ["Always add type hints.", "Antworte ab jetzt auf Deutsch.", "I prefer short answers.", "いつも敬語で。"],
)
def test_preferences(text: str) -> None:
    assert kind(text) == "preference"


def test_a_task_that_mentions_never_is_a_goal_and_a_rule_for_all_is_none() -> None:
    assert read(talk("Write a poem that never mentions love.")).goal is not None
    first = read(talk("Never mention love in anything you write.", "Understood.", "Write a poem."))
    assert first.items[0].kind == "prohibition" and first.standing
