"""Answering the client with a question instead of asking the model: when it may be done, and with what.

Nothing is remembered between requests. How often the user has been asked in a row is read from the
conversation, and the model's own questions count as well.
"""

from collections.abc import Sequence

from acr.errors import OperatorError
from acr.reading.dialogue import Task
from acr.reading.features import features
from acr.text import asks, sentences

LONGEST = 400
"""Characters of a question."""


def left(tasks: Sequence[Task], allowed: int) -> int:
    """How many more questions the user may be asked, of `allowed` in a row.

    None once the user has said to go ahead ("just do it", "don't ask") in the open task.
    """
    if allowed <= 0 or any(unwilling(user.turn.text) for user in tasks[-1].users):
        return 0
    return max(0, allowed - in_a_row(tasks))


def unwilling(text: str) -> bool:
    """Whether the user wants no questions."""
    return features(text).does("just_do_it")


def questioning(text: str) -> bool:
    """Whether an assistant's turn is a question, or asks for something on its way."""
    found = features(text)
    return found.asks or (found.questions > 0 and found.does("more_needed"))


def in_a_row(tasks: Sequence[Task]) -> int:
    """How many of the assistant's last turns were questions, whoever wrote them."""
    count = 0
    for task in reversed(tasks):
        for answer in reversed(task.answers):
            if not questioning(answer.turn.text):
                return count
            count += 1
    return count


def unanswered(task: Task) -> str | None:
    """The assistant's last question of the task that the user has not replied to, verbatim, if it is one
    short sentence. A user who went on without answering may have missed it.
    """
    replied = {id for user in task.users for id in user.refers_to if user.act == "reply"}
    for answer in reversed(task.answers):
        if questioning(answer.turn.text) and answer.turn.id not in replied:
            question = sentences(answer.turn.text)[-1]
            return question if asks(question) and len(question) <= LONGEST else None
    return None


def check(text: str, left: int) -> None:
    """Raise `OperatorError` if the client must not be answered with this."""
    if left <= 0:
        raise OperatorError("the client may not be asked now")
    if not asks(text) or len(text) > LONGEST or "\n" in text.strip():
        raise OperatorError("an answer must be one short question")
