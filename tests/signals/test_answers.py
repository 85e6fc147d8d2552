from acr.signals import observe
from acr.signals.core import ABSENT, Signal
from acr.testing import talk

TOLD = ("How much is the fence?", "30 m at 25 makes 750.", "The garden has 40 metres.")


def test_a_requirement_that_the_last_answer_ignored() -> None:
    signals = observe(talk(*TOLD, "As I said, 30 * 25 = 750.", "One metre costs 18."))
    assert signals["ignored"] == Signal(1, ("2", "3"))
    assert signals["closeness"] == Signal(0.0, ("2", "3"))
    taken_up = observe(talk(*TOLD, "40 * 25 = 1000.", "One metre costs 18."))
    assert taken_up["ignored"].value == 0
    assert taken_up["closeness"].value == 1


def test_the_middle_gets_lost() -> None:
    said = (
        "Plan for Rome.",
        "ok",
        "We are 6 people.",
        "ok",
        "It starts on day 19.",
        "For Rome: 6 people.",
        "Go on.",
    )
    assert observe(talk(*said))["middle_loss"] == ABSENT  # the last one is missing, that is no middle
    middle = (
        *said[:5],
        "ok",
        "The hotel is called Aurora.",
        "Rome, Aurora and 6 people.",
        "The colour is green.",
    )
    assert observe(talk(*middle))["middle_loss"].evidence == ("4",)


def test_repetition_and_flip() -> None:
    same = "Leigh has 24 / 3 = 8 shells. The answer is 8."
    said = ("How many shells does Leigh have of the 24?", same, "Are you sure?")
    assert observe(talk(*said, same, "ok"))["repetition"].value == 1
    assert observe(talk(*said, same, "ok"))["flip"].value == 0
    assert observe(talk(*said, "Leigh has 12 shells. The answer is 12.", "ok"))["flip"] == Signal(
        1, ("1", "3")
    )


def test_new_facts_make_no_flip() -> None:
    said = ("How many shells does Leigh have?", "The answer is 8.", "Mimi gave 30 shells to Leigh.")
    assert observe(talk(*said, "The answer is 38.", "ok"))["flip"].value == 0
