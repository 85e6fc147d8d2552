"""Chains of questions in which the time asked about is carried over, made from a small fact table.

After the idea of ChronoScope: the first question names a time and a thing, later ones leave out what stays
the same. Four kinds of last question: `carry` (another property, same time and thing), `switch` (another
year), `cross` (another thing, same year), `deep` (another property after a switch and a cross). The table
is invented, so nothing of it can be known without the conversation.

`data/controls.jsonl` holds what `chains` makes; a test compares the two.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MUSEUMS = ("Lumen", "Orbis", "Vela")
YEARS = (2015, 2016, 2017)
DIRECTORS = (
    ("Lind", "Castro", "Okafor"),
    ("Meier", "Santos", "Haddad"),
    ("Novak", "Ferri", "Tanaka"),
)
VISITORS = ((41, 58, 73), (29, 36, 84), (67, 92, 18))
"""In thousands. By museum, then by year; no figure occurs twice."""


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of one language. `{museum}`, `{year}`, `{director}` and `{visitors}` are filled in."""

    intro: str
    row: str
    who: str
    """Asks for the director, naming museum and year."""
    visitors: str
    """Asks for the visitors of the same museum and year."""
    year: str
    """Asks the same for another year."""
    museum: str
    """Asks the same for another museum."""
    director: str
    """Asks for the director of what was asked about last."""
    thousand: str


LANGUAGES = {
    "en": Words(
        "Here is a table of museums.",
        "{museum} {year}: director {director}, {visitors} thousand visitors",
        "Who directed the {museum} in {year}?",
        "And how many visitors did it have?",
        "And in {year}?",
        "And the {museum}?",
        "And who directed it at that time?",
        "{visitors} thousand",
    ),
    "de": Words(
        "Hier ist eine Tabelle von Museen.",
        "{museum} {year}: Leitung {director}, {visitors} tausend Besucher",
        "Wer leitete das {museum} im Jahr {year}?",
        "Und wie viele Besucher hatte es?",
        "Und {year}?",
        "Und das {museum}?",
        "Und wer leitete es zu der Zeit?",
        "{visitors} tausend",
    ),
    "es": Words(
        "Aquí tienes una tabla de museos.",
        "{museum} {year}: directora {director}, {visitors} mil visitantes",
        "¿Quién dirigía el {museum} en {year}?",
        "¿Y cuántos visitantes tuvo?",
        "¿Y en {year}?",
        "¿Y el {museum}?",
        "¿Y quién lo dirigía en ese momento?",
        "{visitors} mil",
    ),
    "zh": Words(
        "下面是几家博物馆的表格。",
        "{museum} {year}:馆长 {director},{visitors} 千名参观者",
        "{year} 年 {museum} 的馆长是谁?",
        "有多少参观者?",
        "{year} 年呢?",
        "{museum} 呢?",
        "当时的馆长是谁?",
        "{visitors} 千",
    ),
}

KINDS = ("carry", "switch", "cross", "deep")


def chains() -> Iterator[dict[str, Any]]:
    """One control conversation for each language and kind."""
    for number, (language, words) in enumerate(LANGUAGES.items()):
        for kind in KINDS:
            yield chain(language, words, kind, number)


def chain(language: str, words: Words, kind: str, number: int) -> dict[str, Any]:
    """The conversation of one kind; `number` picks museums and years."""
    museum, other = number % 3, (number + 1) % 3
    year, later = number % 3, (number + 2) % 3
    table = "\n".join(
        words.row.format(museum=MUSEUMS[m], year=YEARS[y], director=DIRECTORS[m][y], visitors=VISITORS[m][y])
        for m in range(3)
        for y in range(3)
    )
    names = {"museum": MUSEUMS[museum], "year": YEARS[year]}
    said = [
        f"{words.intro}\n{table}\n{words.who.format(**names)}",
        f"{DIRECTORS[museum][year]}.",
        words.visitors,
    ]
    last = (museum, year)
    right, wrong = visitors(last), VISITORS[museum][(year + 1) % 3]
    if kind != "carry":
        said += [
            f"{words.thousand.format(visitors=VISITORS[museum][year])}.",
            words.year.format(year=YEARS[later]),
        ]
        last = (museum, later)
        right, wrong = visitors(last), VISITORS[museum][year]
    if kind in ("cross", "deep"):
        said += [
            f"{words.thousand.format(visitors=VISITORS[museum][later])}.",
            words.museum.format(museum=MUSEUMS[other]),
        ]
        last = (other, later)
        right, wrong = visitors(last), VISITORS[museum][later]
    answer, mistake = f"{right}", f"{wrong}"
    if kind == "deep":
        said += [f"{words.thousand.format(visitors=VISITORS[other][later])}.", words.director]
        answer, mistake = DIRECTORS[other][later], DIRECTORS[other][year]
    return {
        "task_id": f"temporal/{kind}-{language}",
        "task": "controls",
        "category": "temporal",
        "language": language,
        "messages": [
            {"role": "assistant" if index % 2 else "user", "content": text} for index, text in enumerate(said)
        ],
        "survive": [*said[0:1], *said[2::2]],
        "expect": {"all": [rf"\b{answer}"], "none": [rf"\b{mistake}\b"]},
        "good": answer,
        "bad": mistake,
        "shards": [{"shard_id": 1, "shard": said[-1]}],
    }


def visitors(of: tuple[int, int]) -> int:
    museum, year = of
    return VISITORS[museum][year]
