"""Edits that several operators share: leave answers out, and join the user turns that then meet.

User and assistant must keep alternating, so where an answer goes, the user turn before it is put in
front of the next one, verbatim. Nothing the user said is lost.
"""

from collections.abc import Callable, Set

from acr.conversation import Conversation, Turn
from acr.edits import Drop, Edit, Rewrite
from acr.reading.dialogue import Answer, Task, UserTurn

Render = Callable[[Turn], str]
"""How a user turn reads when it is joined with others."""

JOINT = "\n"


def needed(task: Task) -> set[str]:
    """Assistant turns of a task that later turns build on and that must therefore stay.

    Those a user turn refers to or replies to; answers to questions the user asked along the way, for these
    are exchanges that both sides have settled; and all attempts where they build on each other.
    """
    keep = {id for user in task.users for id in user.refers_to}
    if task.builds:
        keep.update(answer.turn.id for answer in task.attempts)
    asked = False
    for read in task.turns:
        if isinstance(read, UserTurn):
            asked = read.act in ("question", "reference", "reply")
        elif asked:
            keep.add(read.turn.id)
    if asked and task.answers:
        keep.add(task.answers[-1].turn.id)
    return keep


def droppable(task: Task) -> list[Answer]:
    """Answers of the task that nothing later needs."""
    keep = needed(task)
    return [answer for answer in task.answers if answer.turn.id not in keep]


def without(conversation: Conversation, drop: Set[str], render: Render) -> list[Edit]:
    """Edits that leave out the turns in `drop` and join user turns that then meet.

    A user turn that holds more than text is not moved: the answer after it then stays, whatever was asked.
    """
    edits: list[Edit] = []
    run: list[Turn] = []
    pending: list[Edit] = []
    for turn in conversation.turns[conversation.sealed :]:
        if turn.role == "user" and not turn.answers:
            run.append(turn)
            continue
        if turn.id in drop and run and all(user.plain for user in run):
            pending.append(Drop(turn.id))
            continue
        edits += _joined(run, pending, render)
        run, pending = [], []
    return edits + _joined(run, pending, render)


def _joined(run: list[Turn], pending: list[Edit], render: Render) -> list[Edit]:
    if len(run) < 2 or not pending:
        return []
    *earlier, last = run
    lead = "".join(render(turn) + JOINT for turn in earlier if turn.text.strip())
    return [*pending, *(Drop(turn.id) for turn in earlier), Rewrite(last.id, lead + last.text)]
