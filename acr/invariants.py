"""What no refactoring may break. Checked after every `apply`, whoever proposed the edits.

Each rule answers a fault that users of history-rewriting software have reported: orphaned tool results,
system prompts condensed away, the newest question lost, images dropped, prohibitions gone.
"""

import re
from collections.abc import Callable

from acr.conversation import INSTRUCTIONS, Conversation, Turn
from acr.errors import InvariantError
from acr.text import sentences

LEFT_OUT = re.compile(r"\[… [^\]\n]* …\]")
"""The mark that stands where a part of a text was left out."""

Rule = Callable[[Conversation, Conversation], str | None]


def check(before: Conversation, after: Conversation) -> None:
    """Raise `InvariantError`, naming what would be lost, if `after` may not stand in for `before`."""
    for rule in RULES:
        problem = rule(before, after)
        if problem:
            raise InvariantError(problem)


def order_and_identity(before: Conversation, after: Conversation) -> str | None:
    """Kept turns are the identical objects; nothing changes place."""
    last = -1
    for turn in after:
        if turn.state == "inserted":
            continue
        index = before.position.get(turn.id)
        if index is None:
            return f"turn {turn.id!r} is not in the original"
        if index <= last:
            return f"turn {turn.id!r} changed its place"
        last = index
        if turn.state == "kept" and turn is not before.turns[index]:
            return f"turn {turn.id!r} is marked as kept but was replaced"
        if turn.role != before.turns[index].role:
            return f"turn {turn.id!r} changed its role"
    return None


def instructions(before: Conversation, after: Conversation) -> str | None:
    """System and developer turns stay, untouched, and none is added."""
    kept = [turn for turn in after if turn.role in INSTRUCTIONS]
    wanted = [turn for turn in before if turn.role in INSTRUCTIONS]
    if len(kept) != len(wanted) or any(a is not b for a, b in zip(kept, wanted, strict=True)):
        return "a system or developer message would be lost, changed or added"
    return None


def newest(before: Conversation, after: Conversation) -> str | None:
    """The newest turn stays last, its own text whole at its end."""
    if not before.turns:
        return "an empty conversation cannot be refactored" if after.turns else None
    if not after.turns or after.turns[-1].id != before.turns[-1].id:
        return "the newest message would no longer be last"
    if not after.turns[-1].text.endswith(before.turns[-1].text):
        return "the newest message would lose text"
    return None


def tools(before: Conversation, after: Conversation) -> str | None:
    """Calls and results stay whole: a call's turn and all turns that answer it are kept or go together."""
    kept = {turn.id for turn in after if turn.state != "inserted"}
    for group in tool_groups(before):
        present = [turn.id in kept for turn in group]
        if any(present) and not all(present):
            return f"tool call and results at turn {group[0].id!r} would be torn apart"
        if all(present):
            start = after.position[group[0].id]
            there = after.turns[start : start + len(group)]
            if len(there) < len(group) or not all(map(_same_call, there, group)):
                return f"tool call and results at turn {group[0].id!r} would be changed or separated"
    return None


def _same_call(now: Turn, before: Turn) -> bool:
    """A result may be shorter than it was; the rule `results` tells how."""
    return now is before or (before.result and now.id == before.id and now.answers == before.answers)


def results(before: Conversation, after: Conversation) -> str | None:
    """A tool result that is rewritten says nothing new: it is the old one with parts left out and marked."""
    for turn in after:
        if turn.state != "rewritten" or not turn.answers:
            continue
        old, place = before.turn(turn.id).text, 0
        for piece in LEFT_OUT.split(turn.text):
            place = old.find(piece.strip(), place)
            if place < 0:
                return f"the tool result at turn {turn.id!r} would say what the tool did not"
            place += len(piece.strip())
    return None


def tool_groups(conversation: Conversation) -> list[tuple[Turn, ...]]:
    """Runs of turns that must stay together: one that makes tool calls and the ones that answer them."""
    groups: list[tuple[Turn, ...]] = []
    turns = conversation.turns
    index = 0
    while index < len(turns):
        start = index
        index += 1
        if not (turns[start].calls or turns[start].answers):
            continue
        while index < len(turns) and turns[index].answers and not turns[index].calls:
            index += 1
        groups.append(turns[start:index])
    return groups


def attachments(before: Conversation, after: Conversation) -> str | None:
    """User turns that hold an image, a sound or a file stay; what is not plain is never rewritten inside."""
    for turn in before:
        index = after.position.get(turn.id)
        if index is None:
            if turn.attached and turn.role == "user":
                return f"the attachment of turn {turn.id!r} would be lost"
            continue
        new = after.turns[index]
        if (
            new.state == "rewritten"
            and not (turn.plain or turn.result)
            and not (new.lead and new.text.endswith(turn.text))
        ):
            return f"turn {turn.id!r} holds more than text and would be rewritten inside"
    return None


def sealed(before: Conversation, after: Conversation) -> str | None:
    """Nothing at or before a sealed turn changes."""
    for index in range(before.sealed):
        if index >= len(after) or after.turns[index] is not before.turns[index]:
            return f"turn {before.turns[before.sealed - 1].id!r} is sealed: nothing up to it may change"
    return None


def shape(before: Conversation, after: Conversation) -> str | None:
    """A user turn is there, roles are the client's, no empty answer, alternation where the client had it."""
    if before.users and not after.users:
        return "no user message would be left"
    roles = {turn.role for turn in before}
    for turn in after:
        if turn.role not in roles:
            return f"role {turn.role!r} does not occur in the original"
        if turn.state != "kept" and not turn.text.strip():
            return f"turn {turn.id!r} would be empty"
        if turn.state == "inserted" and turn.role == "assistant":
            return "an assistant message would be invented"
    if alternates(before) and not alternates(after):
        return "user and assistant would no longer alternate"
    return None


def alternates(conversation: Conversation) -> bool:
    """Whether user and assistant take turns, tool flow and instructions left aside; a user begins."""
    expected = "user"
    for turn in conversation:
        if turn.role in INSTRUCTIONS or turn.answers or turn.calls:
            continue
        if turn.role != expected:
            return False
        expected = "assistant" if expected == "user" else "user"
    return True


def words_of_the_user(before: Conversation, after: Conversation) -> str | None:
    """Every sentence of every user turn that is dropped or rewritten still stands somewhere, verbatim."""
    now = "\n".join(turn.text for turn in after if turn.role == "user")
    place = 0

    def stands(text: str) -> bool:
        """Whether the text is in `now`, looked for from the last place on: all is found in one pass."""
        nonlocal place
        at = now.find(text, place)
        if at < 0:
            return text in now
        place = at
        return True

    for turn in before.users:
        if turn.id in after.position and after.turn(turn.id).state == "kept":
            continue
        if stands(turn.text):
            continue
        if not all(stands(sentence.rstrip(" .!?…。！？।؟")) for sentence in sentences(turn.text)):
            return f"words of the user at turn {turn.id!r} would be lost"
    return None


RULES: tuple[Rule, ...] = (
    order_and_identity,
    instructions,
    newest,
    tools,
    results,
    attachments,
    sealed,
    shape,
    words_of_the_user,
)
