"""The fact table and its chains."""

from acr_benchmarks.chronology import DIRECTORS, KINDS, LANGUAGES, VISITORS, chains


def test_no_fact_occurs_twice_so_an_answer_names_its_place() -> None:
    for table in (DIRECTORS, VISITORS):
        facts = [fact for row in table for fact in row]
        assert len(set(facts)) == len(facts) == 9


def test_every_kind_in_every_language() -> None:
    made = {row["task_id"]: row for row in chains()}
    assert len(made) == len(KINDS) * len(LANGUAGES) == 16
    for row in made.values():
        assert row["good"] in row["messages"][0]["content"]
        assert row["good"] != row["bad"]


def test_by_hand() -> None:
    (row,) = (row for row in chains() if row["task_id"] == "temporal/deep-en")
    users = [message["content"] for message in row["messages"] if message["role"] == "user"]
    assert users[0].endswith("Who directed the Lumen in 2015?")
    assert users[1:] == [
        "And how many visitors did it have?",
        "And in 2017?",
        "And the Orbis?",
        "And who directed it at that time?",
    ]
    assert row["good"] == "Haddad"  # Orbis, 2017
