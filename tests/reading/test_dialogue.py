import pytest

from acr.reading.dialogue import read
from acr.testing import talk


@pytest.mark.parametrize(
    ("newest", "act"),
    [
        ("Mimi found 24 shells.", "requirement"),
        ("Actually, make it 30 shells.", "correction"),
        ("How many shells did Leigh find in total?", "restatement"),
        ("Why?", "reference"),
        ("Thanks, great!", "chat"),
        ("", "chat"),
        ("Where do such shells come from?", "reference"),
        ("Do I need a permit to collect shells on that beach in Norway?", "question"),
        ("New topic: who wrote Faust?", "opening"),
    ],
)
def test_acts_of_the_newest_turn(newest: str, act: str) -> None:
    tasks = read(talk("How many shells did Leigh find?", "10. The answer is 10.", newest))
    assert tasks[-1].users[-1].act == act


def test_a_short_answer_to_a_question_is_a_reply() -> None:
    user = read(talk("Book a table.", "For how many people?", "Six"))[-1].users[-1]
    assert (user.act, user.refers_to) == ("reply", ("1",))


def test_thanks_close_a_task() -> None:
    tasks = read(
        talk("Translate it.", "Here it is.", "Thanks!", "You're welcome.", "What does a table for six cost?")
    )
    assert len(tasks) == 2
    assert tasks[1].users[0].act == "opening"


def test_the_reading_of_a_prefix_never_changes() -> None:
    texts = [
        "How many?",
        "10.",
        "Mimi has 24.",
        "Then 34.",
        "Why?",
        "Because.",
        "Thanks!",
        "Sure.",
        "Book a table.",
    ]
    whole = [user.act for task in read(talk(*texts)) for user in task.users]
    for end in range(1, len(texts) + 1, 2):
        part = [user.act for task in read(talk(*texts[:end])) for user in task.users]
        assert part == whole[: len(part)]
