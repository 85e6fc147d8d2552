import re

from acr import registry
from acr.engine import Engine
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators())


async def reinforce(*said: str) -> tuple[list[str], str]:
    """The lines of the block, and the heading."""
    outcome = await ENGINE.run(talk(*said), operator="reinforce")
    assert outcome.failure is None
    text = outcome.conversation.turns[-1].text
    block = re.fullmatch(r"<(holds-[0-9a-f]{6})>\n(.*)\n</\1>\n\n.*", text, re.DOTALL)
    if block is None:
        assert not outcome.changed
        return [], ""
    assert outcome.conversation.turns[:-1] == outcome.original.turns[:-1]
    heading, *lines = block[2].split("\n")
    return lines, heading


async def test_prohibitions_and_preferences() -> None:
    lines, heading = await reinforce(
        "Plan my week. Never book anything before 9:30.",
        "Monday: gym at 10.",
        "Always answer in one line.",
        "OK.",
        "Now plan Tuesday.",
    )
    assert heading == "This still holds:"
    assert "- Never book anything before 9:30." in lines and "- Always answer in one line." in lines


async def test_what_both_sides_settled_is_quoted_with_the_agreement() -> None:
    lines, _ = await reinforce(
        "Where shall we have the dinner?",
        "I suggest Rosa's at 7 pm.",
        "Yes, let's do that.",
        "Great.",
        "Write the invitation.",
    )
    assert lines == ["- “I suggest Rosa's at 7 pm.” – Yes, let's do that."]


async def test_a_decision_that_a_correction_may_have_touched_is_not_repeated() -> None:
    lines, _ = await reinforce(
        "Where shall we have the dinner?",
        "I suggest Rosa's on Thursday.",
        "Yes, let's do that.",
        "Great.",
        "Actually on Friday, instead of Thursday.",
        "Noted.",
        "Write the invitation.",
    )
    assert not any("Thursday" in line and line.startswith("- “") for line in lines)


async def test_nothing_to_say_is_nothing_said() -> None:
    assert await reinforce("How many?", "3", "Red ones.") == ([], "")


async def test_the_newest_turn_is_not_repeated() -> None:
    lines, _ = await reinforce("Plan my week.", "Sure.", "Never book anything before 9:30.")
    assert lines == []


async def test_in_the_users_language() -> None:
    _, heading = await reinforce(
        "Plane meine Woche. Buche nie etwas vor 9:30 Uhr und nicht am Sonntag.",
        "Gut.",
        "Jetzt der Dienstag, bitte.",
    )
    assert heading == "Das gilt weiterhin:"
