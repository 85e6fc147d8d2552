import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acr.conversation import Conversation
from acr.reading.dialogue import Reader, Readers, read, readers
from acr.testing import talk
from acr.testing.strategies import conversations


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


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(conversations(), st.data())
def test_going_on_from_a_beginning_reads_the_same(conversation: Conversation, data: st.DataObject) -> None:
    whole = Conversation(conversation.turns)
    readers.clear()
    alone = read(Conversation(conversation.turns))
    readers.clear()
    for end in data.draw(st.lists(st.integers(0, len(whole)), max_size=4)):
        read(Conversation(whole.turns[:end]))
    assert read(whole) == alone


def test_a_question_asked_anew_does_not_see_the_one_it_replaces() -> None:
    said = ("How many shells?", "10. The answer is 10.")
    first = read(talk(*said, "Mimi found 24 of the shells."))
    other = read(talk(*said, "Leigh found 99 of the shells."))
    assert [user.turn.text for user in other[-1].users] == [said[0], "Leigh found 99 of the shells."]
    assert len(first[-1].users) == 2  # what was given out does not grow


def test_memory_is_bounded() -> None:
    held = Readers(size=2, characters=1000)
    for number in range(5):
        reader = Reader(said=[(str(number), "user", "x" * 400, (), (), ())], characters=400)
        held.put(reader, [number])
    assert len(held._held) == 2
    held.put(Reader(said=[("long", "user", "y" * 2000, (), (), ())], characters=2000), [9])
    assert len(held._held) == 0
    assert held._held._weighs == 0


@pytest.mark.parametrize(
    ("said", "edits"),
    [
        ("Double the limit.", True),
        ("Returns nothing.", True),
        ("One row more.", True),
        ("Sort by city.", False),
    ],
)
def test_a_change_or_a_fault_is_an_edit_and_a_piece_is_none(said: str, edits: bool) -> None:
    task = read(talk("A query for our invoices.", "```sql\nSELECT id FROM invoices LIMIT 10;\n```", said))[-1]
    assert task.users[-1].leans
    assert task.users[-1].edits is edits
