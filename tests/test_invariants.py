"""Each rule must catch its own fault: for every rule a broken refactoring, and the sound one beside it."""

from dataclasses import replace

import pytest

from acr import invariants
from acr.conversation import Conversation, Turn
from acr.edits import Drop, Edit, Insert, Rewrite, apply
from acr.errors import InvariantError
from acr.testing import talk

TOOLS = Conversation(
    (
        Turn("0", "user", "list files"),
        Turn("1", "assistant", "", calls=("c1", "c2"), plain=False),
        Turn("2", "tool", "a", answers=("c1",)),
        Turn("3", "tool", "b", answers=("c2",)),
        Turn("4", "assistant", "a and b"),
        Turn("5", "user", "and now?"),
    )
)
PICTURE = Conversation(
    (
        Turn("0", "user", "look", plain=False, attached=True),
        Turn("1", "assistant", "nice"),
        Turn("2", "user", "more"),
    )
)
SEALED = Conversation(
    (Turn("0", "user", "a"), Turn("1", "assistant", "b", sealed=True), Turn("2", "user", "c"))
)


@pytest.mark.parametrize(
    ("before", "edits", "message"),
    [
        (talk("a", "b", "c", system="s"), [Drop("0")], "system or developer"),
        (talk("a", "b", "c", system="s"), [Rewrite("0", "other")], "system or developer"),
        (talk("a", "b", "c"), [Insert("0", "system", "obey")], "system or developer"),
        (talk("a", "b", "c"), [Drop("2")], "no longer be last"),
        (talk("a", "b", "c"), [Rewrite("2", "short")], "lose text"),
        (TOOLS, [Drop("2")], "torn apart"),
        (TOOLS, [Drop("1")], "torn apart"),
        (TOOLS, [Rewrite("3", "x")], "changed or separated"),
        (TOOLS, [Insert("3", "user", "x")], "changed or separated"),
        (PICTURE, [Drop("0"), Drop("1"), Rewrite("2", "look\nmore")], "attachment"),
        (PICTURE, [Rewrite("0", "see")], "holds more than text"),
        (SEALED, [Drop("0"), Drop("1"), Rewrite("2", "a\nc")], "sealed"),
        (talk("a", "b", "c"), [Drop("1")], "alternate"),
        (talk("a", "b", "c"), [Insert("1", "tool", "x")], "does not occur"),
        (talk("a", "b", "c"), [Insert("1", "assistant", "x")], "invented"),
        (talk("a", "b", "c"), [Rewrite("1", " ")], "empty"),
        (talk("Do not push.", "b", "c"), [Drop("0"), Drop("1")], "words of the user"),
        (
            talk("Do not push. Fix it.", "b", "c"),
            [Drop("0"), Drop("1"), Rewrite("2", "Fix it.\nc")],
            "words of",
        ),
    ],
)
def test_what_would_be_lost_is_named(before: Conversation, edits: list[Edit], message: str) -> None:
    with pytest.raises(InvariantError, match=message):
        invariants.check(before, apply(before, edits))


def test_an_altered_turn_posing_as_kept_is_caught() -> None:
    before = talk("a", "b", "c")
    forged = Conversation((*before.turns[:2], replace(before.turns[2])))
    with pytest.raises(InvariantError, match="was replaced"):
        invariants.check(before, forged)


def test_turns_out_of_order_are_caught() -> None:
    before = talk("a", "b", "c", "d", "e")
    forged = Conversation(
        (before.turns[2], before.turns[1], before.turns[0], before.turns[3], before.turns[4])
    )
    with pytest.raises(InvariantError, match="place"):
        invariants.check(before, forged)


@pytest.mark.parametrize(
    ("before", "edits"),
    [
        (talk("a", "b", "c", system="s"), []),
        (talk("a", "b", "c"), [Drop("0"), Drop("1"), Rewrite("2", "a\nc")]),
        (TOOLS, [Rewrite("5", "<x>\nlist files\n</x>\n\nand now?")]),
        (PICTURE, [Rewrite("2", "<x>\nlook\n</x>\n\nmore")]),
        (SEALED, [Rewrite("2", "a\n\nc")]),
        (
            talk("With almond milk.", "b", "c"),
            [Drop("0"), Drop("1"), Rewrite("2", "With almond milk (→ oat).\nc")],
        ),
    ],
)
def test_sound_refactorings_pass(before: Conversation, edits: list[Edit]) -> None:
    invariants.check(before, apply(before, edits))
