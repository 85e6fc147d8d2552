"""Which answers are stale: work that has to be done anew because the user said more.

Dialogues that look alike need opposite treatment. Where a specification comes in pieces and the model works
out a *result* (a sum, function calls), each answer does the same work again from all that was given, and the
earlier ones only anchor it. Where the assistant *drafts* something (a plan, a letter, code), the user edits
the draft and may point at any word of it without a cue. Where questions follow each other, or chapters,
each answer stands for itself.

What tells them apart: whether an answer works something out; whether it repeats the answer before it (on
logged conversations 95% of successive attempts at one task share at least 0.48 of their content, answers to
unrelated tasks 0.0 to 0.2); and whether it carries what the user said in earlier turns, as answers to one
specification do and answers to one question after another do not.
"""

from collections import deque

from acr.reading.artefact import artefact, body, owned, values, version
from acr.reading.dialogue import Answer, Task, UserTurn
from acr.reading.features import features

REPEATS = 0.3
"""Share of content from which an attempt does the work of the one before it again."""
REFIGURES = 0.12
"""The same where both attempts work out figures: short results share little besides their unit."""
ALIKE = 0.5
"""Share of content from which a draft is a version of the one before it, whatever it carries."""
SAME = 0.9
"""Share of content from which an artefact is the one before it once more."""
LABEL = 5
"""Words of content from which an answer can be a draft."""
_LOOKBACK = 20
"""User turns back in which the values of calls are looked for."""
_VERSIONS = 10
"""Versions back to which an artefact is compared."""
SPECIFYING = frozenset({"requirement", "correction", "restatement"})
"""User acts that say more about what is wanted."""


def stale(task: Task) -> list[Answer]:
    """Results and refusals of the open task that its newest turn makes obsolete.

    Empty unless that turn specifies more. Results are stale once one of them did the work again, with what
    had been said before; or if the first attempt had figures though the opening gave none, and the newest
    turn brings a fact. None is in a running total, whose answers need each other. A refusal ("not enough
    information") is stale as soon as more is said. So is an artefact that can be made anew from the user's
    words alone.
    """
    if not task.users or task.users[-1].act not in SPECIFYING:
        return []
    attempts = task.attempts
    if _anew(task):
        return task.conclusions
    if _separate(task):
        return []
    results = [answer for answer in attempts if answer.result]
    refusals = [answer for answer in task.conclusions if answer.refuses]
    redone = any(again(answer) for answer in results) or _guess(task, results)
    if 2 * len(results) < len(attempts) or not redone or _running(task, attempts):
        results = []
    else:  # a coder's program among worked-out answers is an answer too
        results = [answer for answer in attempts if answer.result or answer.figures]
    chosen = {answer.turn.id for answer in (*results, *refusals)}
    return [answer for answer in task.conclusions if answer.turn.id in chosen]


def artefacts(task: Task) -> list[Answer]:
    """Attempts at a request that comes in pieces, where all of them are artefacts.

    Empty where a turn has nothing to do with the others, or an answer does not go on from those before it:
    then one request follows another.
    """
    if not task.users or task.users[-1].act not in SPECIFYING or any(user.alone for user in task.users[1:]):
        return []
    attempts = task.attempts
    if not all(artefact(answer.turn.text) for answer in attempts):
        return []
    if not all(_goes_on(answer) for answer in attempts[1:]) or _separate(task):
        return []
    return attempts if len(attempts) > 1 or not _given(task, attempts) else []


def _goes_on(answer: Answer) -> bool:
    """Whether an artefact is a version of the one before it, with what had been said, if anything had."""
    return answer.repeats >= SAME or (answer.repeats >= REPEATS and (answer.carries or answer.free))


def _separate(task: Task) -> bool:
    """Whether an artefact shares nothing with the one before it that would tell that both are the same thing:
    then one request has followed another, and those before are done.
    """
    before = newest = fresh = ""
    said: deque[str] = deque(maxlen=_LOOKBACK)
    for read in task.turns:
        if isinstance(read, UserTurn):
            said.append(newest)
            newest, fresh = read.turn.text, read.fresh  # a turn that restates all was said before, too
        elif artefact(read.turn.text):
            if before and not version(before, read.turn.text, "\n".join(said), fresh):
                return True
            before = read.turn.text
    return False


def _given(task: Task, attempts: list[Answer]) -> bool:
    """Whether the only attempt are calls in which nothing is guessed: then nothing came too early."""
    return all(answer.result for answer in attempts) and all(
        values(answer.turn.text) <= _said(task) for answer in attempts
    )


def _said(task: Task) -> set[str]:
    return {token for user in task.users for token in features(user.turn.text).tokens}


def _anew(task: Task) -> bool:
    """Whether the artefacts can be made anew from the user's words alone: no turn of the user could be about
    their text, and they define no name that the user has not given.
    """
    if any(user.leans or user.refers_to or user.act not in SPECIFYING for user in task.users[1:]):
        return False
    if not _fact(task):
        return False
    found = artefacts(task)
    if not found:
        return False
    said = _said(task)
    return all(owned(answer.turn.text, said) for answer in found)


def _fact(task: Task) -> bool:
    """Whether the newest turn brings a figure, sets a limit ("only"), or states something with a name in it.
    "The star is bad style" is about the query, and no clue that is known says so.
    """
    newest = task.users[-1]
    found = features(newest.fresh)
    figures = found.numbers - task.numbers
    return bool(figures) or found.does("also") or (newest.informative and found.does("states"))


def drafts(task: Task) -> list[Answer]:
    """Earlier versions of a draft that a later version replaced: all but the newest of a chain."""
    if not task.users or task.users[-1].act not in SPECIFYING:
        return []
    attempts = task.attempts
    if any(answer.result for answer in attempts) or not all(map(_version, attempts[1:])):
        return []
    if all(artefact(answer.turn.text) for answer in attempts) and not artefacts(task):
        return []
    return attempts[:-1]


def returned(task: Task) -> list[Answer]:
    """Artefacts that are once more what they were before another version: what was asked for in between no
    longer holds, in whatever words that was said.
    """
    versions = [answer for answer in task.attempts if artefact(answer.turn.text)]
    bodies = [body(answer.turn.text) for answer in versions]
    return [
        answer
        for at, answer in enumerate(versions)
        if bodies[at] in bodies[max(0, at - _VERSIONS) : at] and bodies[at] != bodies[at - 1]
    ]


def _version(answer: Answer) -> bool:
    """Whether a draft is another version of the one before it. Labels and short answers are alike too."""
    found = features(answer.turn.text)
    return again(answer) or (answer.repeats >= ALIKE and (found.code or len(found.content) >= LABEL))


def again(answer: Answer) -> bool:
    """Whether an attempt does the work of the attempt before it again, with all that had been said."""
    return answer.carries and answer.repeats >= (REFIGURES if answer.figures else REPEATS)


def _running(task: Task, attempts: list[Answer]) -> bool:
    """A running total: it begins with a figure, and the newest answer goes on from the one before it."""
    return attempts[-1].builds and bool(features(task.users[0].turn.text).numbers)


def _guess(task: Task, results: list[Answer]) -> bool:
    if not results or not task.attempts[0].figures or not task.users[-1].informative:
        return False
    return not features(task.users[0].turn.text).numbers
