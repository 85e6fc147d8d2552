from acr.reading.dialogue import read
from acr.reading.staleness import drafts, returned, stale
from acr.testing import talk

GUESS = "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10 shells. The answer is 10."
AGAIN = "Mimi found 24 shells, so Leigh has 24 / 3 = 8 shells. The answer is 8."
THIRD = "Kyle has 2 * 24 = 48 shells, so Leigh and Mimi have 48 - 24 = 24 shells. The answer is 24."
PLAN = (
    "Day 1: Alfama walk, fado in the evening. Day 2: tower of Belem, museum. Day 3: Sintra, palace of Pena."
)


def ids(*texts: str) -> list[str]:
    return [answer.turn.id for answer in stale(read(talk(*texts))[-1])]


def test_results_that_do_the_work_again_with_what_was_said_before() -> None:
    said = ("How many shells did Leigh find?", GUESS, "Mimi found 24 of the shells.", AGAIN)
    assert ids(*said, "Kyle found twice as many as Mimi.") == ["1", "3"]
    assert ids(*said, "Kyle found twice as many as Mimi.", THIRD, "Leigh found a third.") == ["1", "3", "5"]


def test_a_first_result_with_figures_out_of_nowhere() -> None:
    assert ids("How many shells did Leigh find?", GUESS, "Mimi found 24 shells on the beach.") == ["1"]
    assert (
        ids("How many shells are 12 and 8?", "12 + 8 = 20 shells.", "Mimi found 24 shells on the beach.")
        == []
    )


def test_one_request_after_another() -> None:
    said = ("Convert 5 miles to kilometres.", "5 miles = 8.05 kilometres.", "Convert 9 miles to kilometres.")
    assert ids(*said, "9 miles = 14.5 kilometres.", "Convert 350 miles to kilometres.") == []


def test_a_draft_is_edited_not_made_anew() -> None:
    said = ("Plan three days in Lisbon.", PLAN, "We arrive at 4 pm.", PLAN.replace("walk", "walk at 6 pm"))
    assert ids(*said, "Take out the museum and stay at the hotel instead.") == []


def test_a_refusal_once_more_is_said() -> None:
    refusal = "The problem does not provide the number of shells, so there is not enough information."
    assert ids("How many shells?", refusal, "Mimi found 24 shells on the beach.") == ["1"]
    assert ids("How many shells?", "Could you tell me how many Mimi found?", "Mimi found 24 shells.") == []


def test_nothing_is_stale_unless_the_newest_turn_specifies_more() -> None:
    said = ("How many shells did Leigh find?", GUESS, "Mimi found 24 of the shells.", AGAIN)
    assert ids(*said, "Why 24?") == []
    assert ids(*said, "Thanks!") == []
    assert ids(*said, "Where do such shells come from?") == []


def test_older_versions_of_a_draft() -> None:
    first = "def keep(values):\n    return [value for value in values if value]"
    second = "def keep(values, threshold=10):\n    return [value for value in values if value > threshold]"
    said = (
        "Write a function that keeps values of a list.",
        f"```python\n{first}\n```",
        "The threshold is 10.",
    )
    task = read(talk(*said, f"```python\n{second}\n```", "Sort the list in descending order."))[-1]
    assert [answer.turn.id for answer in drafts(task)] == ["1"]
    assert stale(task) == []


def test_a_figure_said_in_one_sentence_is_a_result() -> None:
    """Nothing marks it as one: no equation, no bold type, no word "answer"."""
    talked = talk(
        "How many eggs do my hens lay per week?",
        "Assuming 5 hens and 1 egg per day, they lay 35 eggs per week.",
        "I have 12 hens.",
        "With 12 hens at 1 egg a day that is 84 eggs per week.",
        "Each hen lays 5 eggs per week.",
    )
    assert [answer.turn.id for answer in stale(read(talked)[-1])] == ["1", "3"]


def test_a_query_that_is_what_it_was_before_has_been_gone_back_to() -> None:
    plain, hidden = "```sql\nSELECT * FROM a;\n```", "```sql\nSELECT * FROM a WHERE b = 0;\n```"
    said = ("Query all of a.", plain, "Hide those with b.", hidden, "Better have them in there.")
    back = read(talk(*said, f"Here you are:\n\n{plain}", "Sort by c."))[-1]
    assert [answer.turn.id for answer in returned(back)] == ["5"]
    again = read(talk(*said, f"As it is:\n\n{hidden}", "Sort by c."))[-1]
    assert returned(again) == []
