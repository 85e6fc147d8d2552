"""Queries, calls and programs, and what a turn about them does."""

import pytest

from acr.reading.artefact import artefact, owned, version
from acr.reading.dialogue import read
from acr.reading.staleness import artefacts, stale
from acr.testing import talk

QUERY = "```sql\nSELECT * FROM authors LIMIT 10;\n```\n\nLet me know if you'd like any changes!"
CODE = "```python\ndef top(scores):\n    def key(pair):\n        return pair[1]\n    return max(scores, key=key)\n```"
LETTER = "```\nDear Ms Silva,\nI am writing to ask for leave.\n```"


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        (QUERY, set()),
        ("SELECT name FROM authors;", set()),
        ('[book_table(restaurant="Lido", people=2)]', set()),
        ('Here are the calls:\n\n[set_alarm(time="07:00"), set_alarm(time="08:30")]', set()),
        (CODE, {"top"}),
        ("```js\nexport async function load(url) {\n  return fetch(url);\n}\n```", {"load"}),
        ("```sql\nCREATE VIEW Recent AS SELECT * FROM loans;\n```", {"recent"}),
    ],
)
def test_artefacts(text: str, defines: set[str]) -> None:
    found = artefact(text)
    assert found is not None
    assert found.defines == defines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The answer is 12.",
        LETTER,
        "Call me (tomorrow).",
        "I would SELECT a name FROM the list.",
        QUERY + "x" * 500,
    ],
)
def test_no_artefacts(text: str) -> None:
    assert artefact(text) is None


def test_owned() -> None:
    assert owned(CODE, {"top", "write"})
    assert not owned(CODE, {"write"})
    assert not owned(LETTER, {"write"})


@pytest.mark.parametrize(
    "newest", ["Only authors from Norway.", "Only authors born before 1960.", "Nur solche aus Norwegen."]
)
def test_a_condition_in_the_users_own_words_makes_the_query_stale(newest: str) -> None:
    task = read(talk("I need a list of authors.", QUERY, "They have books with us, too.", QUERY, newest))[-1]
    assert not task.users[-1].leans
    assert stale(task) == []  # "they" may be about the rows of the query
    task = read(talk("I need a list of authors.", QUERY, newest))[-1]
    assert len(stale(task)) == 1


@pytest.mark.parametrize(
    "newest",
    [
        "It must not have more than 20 rows.",
        "LIMIT is not what I want, I need 20.",
        "alphabetically",
        "Those without a date come last.",
        "Sort by LIMIT.",
    ],
)
def test_what_may_be_about_the_query_keeps_it(newest: str) -> None:
    task = read(talk("I need a list of authors.", QUERY, newest))[-1]
    assert task.users[-1].act in ("requirement", "correction")
    assert task.users[-1].leans
    assert stale(task) == []
    assert len(artefacts(task)) == 1


@pytest.mark.parametrize(
    ("newest", "act"),
    [
        ("It crashes with KeyError when it is empty.", "reference"),
        ("Das funktioniert nicht.", "reference"),
        ("Why max?", "reference"),
        ("Rename key to rank.", "reference"),
        ("Perfect, thank you!", "chat"),
    ],
)
def test_what_is_about_the_program_is_left_alone(newest: str, act: str) -> None:
    task = read(talk("Write top(scores), which returns the best pair.", CODE, newest))[-1]
    assert task.users[-1].act == act
    assert not task.users[-1].leans
    assert stale(task) == artefacts(task) == []


def test_a_name_of_the_assistants_own_keeps_the_program() -> None:
    told = ("Negative scores are ignored.", CODE, "Scores above 100 are ignored.")
    given = read(talk("Write top(scores), which finds a pair.", CODE, *told))[-1]
    assert [answer.turn.id for answer in stale(given)] == ["1", "3"]
    made_up = read(talk("I need the best pair of some scores.", CODE, *told))[-1]
    assert stale(made_up) == []


@pytest.mark.parametrize(
    ("newest", "alone"),
    [
        ("Write a script that lists large files.", True),
        ("Écris une requête pour les commandes de mars.", True),
        ("Count the loans of 2022.", True),
        ("Born before 1960.", False),
        ("alphabetically", False),
        ("It has to be quick.", False),
        ("作者必须来自挪威。", False),
    ],
)
def test_another_request_takes_nothing_with_it(newest: str, alone: bool) -> None:
    task = read(talk("I need a list of authors.", QUERY, newest))[-1]
    assert task.users[-1].alone == alone
    assert bool(artefacts(task)) != alone


def test_one_call_after_another_is_no_request_in_pieces() -> None:
    told = ("Weather in Oslo for 3 days.", '[forecast(city="Oslo", days=3)]')
    more = ("The weather in Bern.", '[forecast(city="Bern", days=1)]')
    assert artefacts(read(talk(*told, "The weather in Bern."))[-1]) == []
    assert artefacts(read(talk(*told, *more, "The weather in Graz for 2 days."))[-1]) == []
    guess = ("I need the weather for a trip.", '[forecast(city="Paris", days=3)]')
    assert len(artefacts(read(talk(*guess, "The trip goes to Bern."))[-1])) == 1


@pytest.mark.parametrize(
    ("before", "after", "said", "newest", "same"),
    [
        ("SELECT name FROM customers;", "SELECT name FROM suppliers;", "Customers.", "Suppliers.", False),
        ("SELECT a FROM b;", "SELECT a FROM c JOIN b ON c.i = b.i;", "", "With c.", True),
        ("light(room='hall', state='on')", "light(room='attic', state='on')", "Hall on.", "Attic on.", False),
        ("light(room='hall', state='on')", "light(room='hall', state='off')", "Hall on.", "Off.", True),
        ("car(city='Rome', kind='small', days=3)", "car(city='Graz', days=2)", "A small car.", "Graz.", True),
        ("def f(x):\n    return x", "def g(x):\n    return x", "", "", False),
    ],
)
def test_a_version_shares_what_tells_which_thing_it_is(
    before: str, after: str, said: str, newest: str, same: bool
) -> None:
    assert version(before, after, said, newest) is same
