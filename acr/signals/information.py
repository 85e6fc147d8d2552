"""How much each turn brings, and how much is still missing.

Information gain in the sense of CIG (arXiv 2604.15647): claims that a turn adds to, or updates in, what is
known. A claim here is a sentence with a figure, a name or two telling words; there is no model to split
sentences into atomic ones, so the counts are coarser than CIG's.
"""

from collections.abc import Iterator

from acr.memo import Memo
from acr.reading.dialogue import Answer, UserTurn
from acr.reading.features import features
from acr.reading.reference import bare
from acr.signals.core import ABSENT, Signal
from acr.signals.seen import Seen
from acr.text import sentences

NAMES = ("gain", "updates", "answer_gain", "underspecified")

_VAGUE = 12
"""Tokens: an opening without figures, names or code longer than this has said something."""


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`gain`, `updates`: claims that the newest user turn adds, corrects. `answer_gain`: share of the last
    answer's content that nobody had said. `underspecified`: 1 if the task has no fact to work with yet.
    """
    if seen.newest is None:
        return
    newest = (seen.newest.turn.id,)
    claims = _claims(seen.newest)
    corrects = seen.newest.act == "correction"
    yield "gain", Signal(0 if corrects else claims, newest)
    yield "updates", Signal(max(1, claims) if corrects else 0, newest)
    if seen.task.answers:
        yield "answer_gain", _answer_gain(seen, seen.task.answers[-1])
    yield "underspecified", _underspecified(seen)


def _claims(user: UserTurn) -> int:
    return _claimed(user.fresh)


def _count(text: str) -> int:
    found = (features(sentence) for sentence in sentences(text))
    return sum(bool(one.numbers or one.names or len(one.telling) > 1) for one in found)


_claimed = Memo(_count)
"""Claims in a text."""


def _answer_gain(seen: Seen, last: Answer) -> Signal:
    shown = features(last.turn.text)
    if not shown.content:
        return ABSENT
    known = frozenset[str]().union(*(features(user.turn.text).content for user in seen.before))
    earlier = [answer for answer in seen.task.answers[-4:] if answer is not last]
    known = known.union(*(features(answer.turn.text).content for answer in earlier))
    return Signal(round(len(shown.content - known) / len(shown.content), 3), (last.turn.id,))


def _underspecified(seen: Seen) -> Signal:
    """Short, and no figure, name, code or second sentence in any user turn of the task."""
    for user in seen.task.users:
        found = features(user.turn.text)
        if found.numbers or found.names or found.code or len(found.tokens) > _VAGUE:
            return ABSENT
        if user is not seen.task.users[0] and _claims(user):
            return ABSENT
    return Signal(1.0, (seen.task.users[0].turn.id,))


_parts = Memo(lambda text: frozenset(map(bare, sentences(text))))
"""The sentences of a text as they are compared."""


def repeated(users: list[UserTurn]) -> list[UserTurn]:
    """User turns that ask or say again, nearly word for word, what an earlier turn had (in one sentence)."""
    said: set[str] = set()
    found: list[UserTurn] = []
    for user in users:
        parts = _parts(user.turn.text)
        if len(parts) == 1 and parts <= said:
            found.append(user)
        said |= parts
    return found
