import pytest

from acr.edits import Drop, Insert, Rewrite, apply
from acr.errors import EditError
from acr.testing import talk


def test_untouched_turns_are_the_identical_objects() -> None:
    before = talk("a", "b", "c", system="s")
    after = apply(before, [Drop("2"), Rewrite("3", "a c")])
    assert [turn.id for turn in after] == ["0", "1", "3"]
    assert after.turns[0] is before.turns[0]
    assert after.turns[1] is before.turns[1]
    assert after.turns[2].text == "a c"
    assert after.turns[2].wire is before.turns[3].wire


def test_a_rewrite_that_ends_in_the_old_text_is_a_prefix() -> None:
    after = apply(talk("question"), [Rewrite("0", "first, question")])
    assert after.turns[0].lead == "first, "
    assert after.turns[0].state == "rewritten"


def test_a_rewrite_to_the_same_text_changes_nothing() -> None:
    before = talk("a")
    assert apply(before, [Rewrite("0", "a")]).turns[0] is before.turns[0]


def test_inserts_stand_before_their_turn_in_order() -> None:
    after = apply(talk("a", "b"), [Insert("1", "user", "x"), Insert("1", "user", "y")])
    assert [turn.text for turn in after] == ["a", "x", "y", "b"]


@pytest.mark.parametrize(
    ("edits", "message"),
    [([Drop("9")], "not in the conversation"), ([Drop("0"), Rewrite("0", "x")], "edited twice")],
)
def test_impossible_edits_are_named(edits: list[Drop | Rewrite], message: str) -> None:
    with pytest.raises(EditError, match=message):
        apply(talk("a", "b"), edits)
