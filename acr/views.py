"""Edits that several operators share.

Leave answers out, and join the user turns that then meet; put a fenced block in front of a turn.

User and assistant must keep alternating, so where an answer goes, the user turn before it is put in
front of the next one, verbatim. Nothing the user said is lost.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import pairwise

from acr.conversation import Conversation, Turn
from acr.edits import Drop, Edit, Rewrite
from acr.fence import fenced
from acr.phrases import phrase
from acr.reading.attempt import ATTEMPT
from acr.reading.dialogue import Answer, Task, UserTurn
from acr.reading.staleness import stale
from acr.text import clean, fold, quoted

Render = Callable[[Turn], str]
"""How a user turn reads when it is joined with others."""

_PARAGRAPH = 240
"""Characters: longer turns, and those of several lines, stand as paragraphs of their own."""
_LOOKBACK, _QUOTES = 100, 8
"""Answers back in which quoted spans are looked for, and spans of one turn."""
_STOPS = ((re.compile(r"[\u3040-\u30ff\u3400-\u9fff]$"), "。"), (re.compile(r"[\u0900-\u097f]$"), "। "))


def needed(task: Task) -> set[str]:
    """Assistant turns of a task that later turns build on and that must therefore stay.

    Those a user turn refers to, replies to or quotes, and answers to questions the user asked along the way:
    they are exchanges that both sides have settled.
    """
    keep = {id for user in task.users if not user.leans for id in user.refers_to}
    keep.update(_quoted(task))
    asked = False
    for read in task.turns:
        if isinstance(read, UserTurn):
            asked = read.act in ("question", "reference", "reply")
        elif asked:
            keep.add(read.turn.id)
    if task.answers and (asked or task.users[-1].leans):
        keep.add(task.answers[-1].turn.id)
    return keep


def _quoted(task: Task) -> Iterator[str]:
    """Answers with a span that a later user turn quotes: all of them, for which one is meant nobody knows."""
    before: deque[tuple[str, str]] = deque(maxlen=_LOOKBACK)
    for read in task.turns:
        if not isinstance(read, UserTurn):
            before.append((read.turn.id, fold(read.turn.text)))
            continue
        for span in map(fold, quoted(read.turn.text)[:_QUOTES]):
            yield from (id for id, said in before if span in said)


def droppable(task: Task) -> list[Answer]:
    """Stale attempts of the task that nothing later needs, and what the assistant said between them without
    attempting anything. Empty where no attempt is stale.
    """
    keep = needed(task)
    old = {answer.turn.id for answer in stale(task)} - keep
    if not old:
        return []
    return [
        answer
        for answer in task.answers
        if answer.turn.id in old or (answer.attempt < ATTEMPT and answer.turn.id not in keep)
    ]


def without(conversation: Conversation, drop: Set[str], render: Render) -> list[Edit]:
    """Edits that leave out the turns in `drop` and join user turns that then meet.

    A user turn that holds more than text is not moved: the answer after it then stays, whatever was asked.
    """
    edits: list[Edit] = []
    run: list[Turn] = []
    pending: list[Edit] = []
    plain = True
    for turn in conversation.turns[conversation.sealed :]:
        if turn.role == "user" and not turn.answers:
            run.append(turn)
            plain = plain and turn.plain
            continue
        if turn.id in drop and run and plain:
            pending.append(Drop(turn.id))
            continue
        edits += _joined(run, pending, render)
        run, pending, plain = [], [], True
    return edits + _joined(run, pending, render)


def _joined(run: list[Turn], pending: list[Edit], render: Render) -> list[Edit]:
    if len(run) < 2 or not pending:
        return []
    *earlier, last = run
    said = [render(turn) for turn in earlier if turn.text.strip()]
    lead = "".join(text + joint(text, after) for text, after in pairwise([*said, last.text]))
    return [*pending, *(Drop(turn.id) for turn in earlier), Rewrite(last.id, lead + last.text)]


def in_front(turn: Turn, name: str, body: str) -> list[Edit]:
    """An edit that puts `body`, fenced, in front of a turn's own text."""
    return [Rewrite(turn.id, fenced(name, clean(body), turn.text) + "\n\n" + turn.text)]


def said_so_far(said: Sequence[str], language: str) -> str:
    """A list of what the user said, under a heading in the user's language where ACR has one."""
    heading = phrase("recap", language)
    return "\n".join([*([heading] if heading else []), *(f"- {text}" for text in said)])


def joint(before: str, after: str) -> str:
    """What stands between two turns that are joined: they read on as prose, as if said in one breath.

    A list of lines makes small models write programs instead of answers (docs/decisions.md).
    """
    if "\n" in before + after or max(len(before), len(after)) > _PARAGRAPH:
        return "\n\n"
    if before.endswith(("。", "！", "？")):
        return ""
    if not before[-1:].isalnum():
        return " "
    return next((stop for ending, stop in _STOPS if ending.search(before)), ". ")
