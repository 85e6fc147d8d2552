"""A version named by its place is a reference, and nothing may go then."""

import pytest

from acr import registry
from acr.engine import Engine
from acr.reading.dialogue import read
from acr.testing import talk

RULES = Engine(registry.controller("rules"), registry.operators())
FIRST = "```sql\nSELECT name, city FROM members ORDER BY name;\n```"
SECOND = "```sql\nSELECT name, city FROM members WHERE joined > 2019;\n```"
TOLD = ("A query for our members.", FIRST, "They joined after 2019.", SECOND)


@pytest.mark.parametrize(
    "newest",
    [
        "The first query sorted them.",
        "I liked the original version better.",
        "Die erste Abfrage war besser.",
        "Der zweite Entwurf ist zu lang.",
        "La première version était plus claire.",
        "La primera consulta estaba bien.",
        "La versione precedente era più chiara.",
        "Первый вариант был лучше.",
        "第一版更好。",
        "最初の案の方がよかったです。",
        "İlk sürüm daha iyiydi.",
    ],
)
async def test_a_version_named_by_its_place_keeps_all(newest: str) -> None:
    conversation = talk(*TOLD, newest)
    user = read(conversation)[-1].users[-1]
    assert user.refers_to
    assert not user.leans
    outcome = await RULES.run(conversation)
    assert outcome.conversation is outcome.original


@pytest.mark.parametrize("newest", ["The first name is enough.", "Only their last order, from 2021."])
async def test_other_things_have_places_too(newest: str) -> None:
    assert (await RULES.run(talk(*TOLD, newest))).changed
