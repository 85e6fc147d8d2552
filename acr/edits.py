"""Edits as data, and the one function that applies them.

Operators propose; `apply` is the only maker of a refactored conversation; `acr.invariants` checks it
afterwards. What was done can therefore be recorded, shown as a diff, tested, and learned from.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr.conversation import Conversation, Role, Turn
from acr.errors import EditError


@dataclass(frozen=True, slots=True)
class Drop:
    """Leave a turn out of what the model sees."""

    turn: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Give a turn another text. If the old text stands at the end of the new one, parts that are not
    text (images, files) and unknown fields stay; otherwise the turn must be plain.
    """

    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class Insert:
    """Put a new turn before an existing one."""

    before: str
    role: Role
    text: str


Edit = Drop | Rewrite | Insert


def apply(conversation: Conversation, edits: Sequence[Edit]) -> Conversation:
    """A new conversation with `edits` applied; turns not named by an edit are the identical objects.

    Raises `EditError` for what is no edit, for an unknown turn, and for a turn that is edited twice.
    """
    touched: set[str] = set()
    dropped: set[str] = set()
    texts: dict[str, str] = {}
    inserts: dict[str, list[Turn]] = {}
    for number, edit in enumerate(edits):
        if not isinstance(edit, Drop | Rewrite | Insert):
            raise EditError(f"{type(edit).__name__} is not an edit: use Drop, Rewrite or Insert")
        target = edit.before if isinstance(edit, Insert) else edit.turn
        if target not in conversation.position:
            raise EditError(f"{type(edit).__name__} names turn {target!r}, which is not in the conversation")
        if isinstance(edit, Insert):
            id = f"+{number}"
            while id in conversation.position:  # of an earlier step
                id += "+"
            new = Turn(id=id, role=edit.role, text=edit.text, state="inserted")
            inserts.setdefault(target, []).append(new)
            continue
        if target in touched:
            raise EditError(f"turn {target!r} is edited twice")
        touched.add(target)
        if isinstance(edit, Drop):
            dropped.add(target)
        else:
            texts[target] = edit.text
    result: list[Turn] = []
    for turn in conversation:
        result += inserts.get(turn.id, ())
        if turn.id in dropped:
            continue
        text = texts.get(turn.id)
        result.append(turn if text is None or text == turn.text else turn.with_text(text))
    return Conversation(tuple(result))


def between(before: Conversation, after: Conversation) -> list[Edit]:
    """The edits that make `after` of `before`, where `after` came of several steps of edits.

    Only what remains of the steps is in them: a turn written twice is one `Rewrite`.
    """
    edits: list[Edit] = []
    inserted: list[Turn] = []
    kept = set()
    for turn in after:
        if turn.id not in before.position:
            inserted.append(turn)
            continue
        kept.add(turn.id)
        edits += [Insert(turn.id, new.role, new.text) for new in inserted]
        inserted.clear()
        if turn.text != before.turn(turn.id).text:
            edits.append(Rewrite(turn.id, turn.text))
    return [*(Drop(turn.id) for turn in before if turn.id not in kept), *edits]
