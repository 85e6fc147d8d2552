"""Which answers are stale: attempts at work that has to be done anew because the user said more.

Two kinds of dialogue look alike and need opposite treatment. Where a specification comes in pieces, each
answer does the same work again, and the earlier ones only anchor the model. Where answers build on each
other (chapters, a list of decisions, one question after another), each of them is still needed. What tells
them apart is repetition: on logged conversations 95% of successive attempts at one task share at least 0.48
of their content, answers to unrelated tasks 0.0 to 0.2.
"""

from acr.reading.dialogue import Answer, Task
from acr.reading.features import features

REPEATS = 0.3
"""Share of content from which an attempt does the work of the one before it again."""
REFIGURES = 0.12
"""The same where both attempts work out figures: short results share little besides their unit."""
SPECIFYING = frozenset({"requirement", "correction", "restatement"})
"""User acts that say more about what is wanted."""


def stale(task: Task) -> list[Answer]:
    """Attempts of the open task that its newest turn makes obsolete; none unless that turn specifies more.

    An attempt is stale if it does the work of another again, or is done again by another. A single attempt is
    stale only if it worked out figures, in prose, and the newest turn brings something nobody had mentioned.
    A refusal ("not enough information") is stale as soon as more is said.
    """
    if not task.users or task.users[-1].act not in SPECIFYING:
        return []
    attempts = task.attempts
    again = [again_of(answer) for answer in attempts]
    chain = [
        answer
        for index, answer in enumerate(attempts)
        if again[index] or (index + 1 < len(attempts) and again[index + 1])
    ]
    if any(answer.figures for answer in chain):  # a first guess may look like none of those that follow
        repeated = {answer.turn.id for answer in chain}
        chain = [answer for answer in attempts if answer.turn.id in repeated or answer.figures]
    if not chain and len(attempts) == 1 and task.users[-1].informative and _result(attempts[0]):
        chain = attempts
    obsolete = {answer.turn.id for answer in chain}
    return [answer for answer in task.conclusions if answer.turn.id in obsolete or answer.refuses]


def again_of(answer: Answer) -> bool:
    """Whether an attempt does the work of the attempt before it again."""
    return answer.repeats >= (REFIGURES if answer.figures else REPEATS)


def _result(answer: Answer) -> bool:
    return answer.figures and not features(answer.turn.text).code
