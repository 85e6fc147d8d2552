"""Where the conversation stands: how long it is, how many tasks it has had, what the newest turn does."""

from collections.abc import Iterator

from acr.reading.staleness import returned
from acr.signals.core import Signal
from acr.signals.seen import Seen, counted

ACTS = (*("opening", "requirement", "correction", "restatement", "reference", "reply", "question", "chat"),)
NAMES = ("user_turns", "tasks", "scattered", "tools", "informative", "referred", "leans", *ACTS)


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`scattered`: user turns that specify more. `referred`: assistant turns that user turns need, or
    went back to. One of `ACTS` is 1: what the newest user turn does.
    """
    task, newest = seen.task, seen.newest
    yield "user_turns", Signal(len(seen.conversation.users))
    yield "tasks", Signal(len(seen.tasks), tuple(t.users[0].turn.id for t in seen.tasks if t.users))
    yield "scattered", counted(seen.specifying)
    yield "tools", Signal(float(task.tools))
    if newest:
        evidence = (newest.turn.id,)
        yield newest.act, Signal(1.0, evidence + newest.refers_to)
        yield "informative", Signal(float(newest.informative), evidence)
        yield "leans", Signal(float(newest.leans), evidence)
        done = (user for user in task.users if not user.leans or (user.edits and user is not newest))
        referred = {id for user in done for id in user.refers_to}
        referred |= {answer.turn.id for answer in returned(task)}
        yield "referred", Signal(len(referred), tuple(sorted(referred)))
