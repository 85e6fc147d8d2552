"""Orders that may be said again beside what they ordered, and those that would be done once more."""

import pytest

from acr.reading.dialogue import read
from acr.reading.lasting import lasts
from acr.signals import observe
from acr.testing import talk

QUERY = "```sql\nSELECT id, city FROM invoices LIMIT 10;\n```"
LONGER = "```sql\nSELECT id, city FROM invoices WHERE amount > 250 AND year > 1990 LIMIT 20;\n```"


@pytest.mark.parametrize(
    "text",
    [
        "Leave out cities with 30 or fewer.",
        "leave out zero",
        "more than 10 kilograms: 20",
        "round it to 2 digits",
        "Keep the order of the words.",
        "Remove all empty lines.",
        "Lass Kunden vor 2015 weg.",
        "Entferne alle leeren Zeilen.",
        "Supprime toutes les lignes vides.",
        "Quita todas las filas de 0 o menos.",
        "Arrotonda a 2 cifre.",
        "Rond af op 2 decimalen.",
        "Ta bort alla tomma rader.",
        "Удали все пустые строки.",
        "删除所有空行",
        "空行をすべて削除",
        "빈 줄은 모두 삭제",
    ],
)
def test_said_again_it_changes_nothing(text: str) -> None:
    assert lasts(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The year is 2023.",
        "Double the limit.",
        "One row more.",
        "5 more",
        "Show more than now.",
        "Increase it by more than 5.",
        "Leave out the last condition.",
        "Leave out a column.",
        "Leave out another 5.",
        "Leave it out.",
        "Leave out more.",
        "Remove the line.",
        "Round and double it.",
        "Cut 10 or more and add 5.",
        "Keep going.",
        "Swap the columns.",
        "Rename it to x.",
        "Leave out the year, then add it to the title.",
        "Returns nothing.",
        "Lass die letzte Spalte weg.",
        "Eine Zeile mehr.",
        "Plus de lignes.",
        "Quita la última fila.",
        "Удали последнюю строку.",
        "删掉最后一行",
        "翻倍",
        "最後の行を削除",
        "마지막 줄 삭제",
    ],
)
def test_said_again_it_may_be_done_again(text: str) -> None:
    assert not lasts(text)


@pytest.mark.parametrize(
    ("said", "restated"),
    [
        ("Leave out those of 1990 or before.", True),
        ("Round the amount to 2 digits.", True),
        ("Double the limit.", False),
        ("Leave out the last condition.", False),
        ("Returns nothing.", False),
    ],
)
def test_only_what_lasts_may_stand_open(said: str, restated: bool) -> None:
    told = ("A query for our invoices.", QUERY, "The amount is above 250.", LONGER, said, LONGER)
    conversation = talk(*told, "The year is 2023.")
    assert read(conversation)[-1].users[2].edits is not restated
    assert bool(observe(conversation)["referred"]) is not restated
