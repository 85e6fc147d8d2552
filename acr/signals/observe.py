"""All signals in one pass over the conversation."""

from acr.conversation import Conversation
from acr.reading.dialogue import Answer, Task, read
from acr.reading.staleness import SPECIFYING, again, drafts, stale
from acr.signals.core import Signal, Signals


def observe(conversation: Conversation) -> Signals:
    """Every signal. Linear in the number of turns; work on a text seen before is remembered."""
    return Signals(dict(_signals(conversation, read(conversation))))


def _signals(conversation: Conversation, tasks: list[Task]) -> list[tuple[str, Signal]]:
    task = tasks[-1]
    newest = task.users[-1] if task.users else None
    attempts = task.attempts
    specifying = [user for user in task.users if user.act in SPECIFYING]
    premature = _premature(conversation, task.conclusions, [user.turn.id for user in specifying])
    found = [
        ("user_turns", Signal(len(conversation.users))),
        ("tasks", Signal(len(tasks), tuple(t.users[0].turn.id for t in tasks if t.users))),
        ("scattered", Signal(len(specifying), tuple(user.turn.id for user in specifying))),
        ("attempts", _evidence(attempts)),
        ("premature", _evidence(premature)),
        ("refusals", _evidence([answer for answer in task.answers if answer.refuses])),
        ("redone", _evidence([answer for answer in attempts if again(answer)])),
        ("stale", _evidence(stale(task))),
        ("drafts", _evidence(drafts(task))),
        ("tools", Signal(float(task.tools))),
        ("bloat", _bloat(attempts)),
    ]
    if newest:
        evidence = (newest.turn.id,)
        found += [(newest.act, Signal(1.0, evidence + newest.refers_to))]
        found += [("informative", Signal(float(newest.informative), evidence))]
        referred = {id for user in task.users for id in user.refers_to}
        found += [("referred", Signal(len(referred), tuple(sorted(referred))))]
    return found


def _premature(conversation: Conversation, conclusions: list[Answer], specifying: list[str]) -> list[Answer]:
    """Conclusions after which the user had more to say about what is wanted (LiC, appendix F)."""
    if not specifying:
        return []
    last = conversation.position[specifying[-1]]
    return [answer for answer in conclusions if conversation.position[answer.turn.id] < last]


def _evidence(answers: list[Answer]) -> Signal:
    return Signal(len(answers), tuple(answer.turn.id for answer in answers))


def _bloat(attempts: list[Answer]) -> Signal:
    """Length of the last attempt over that of the first (LiC, appendix F: later attempts grow by 20-300%)."""
    if len(attempts) < 2 or not attempts[0].turn.text:
        return Signal(0.0)
    ratio = len(attempts[-1].turn.text) / len(attempts[0].turn.text)
    return Signal(round(ratio, 3), (attempts[0].turn.id, attempts[-1].turn.id))
