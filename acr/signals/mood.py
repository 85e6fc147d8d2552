"""Is the user annoyed? What DPSE's censor reads off a dialogue (arXiv 2507.15281): words of frustration, and
the same thing said again because the answer missed it.
"""

from collections.abc import Iterator

from acr.memo import Memo
from acr.reading.features import features
from acr.signals.core import Signal
from acr.signals.information import repeated
from acr.signals.seen import Seen, counted

NAMES = ("frustration", "asked_again")
_SHOUT = 3
"""Exclamation marks in a row, or words in capitals, from which somebody shouts."""


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`frustration`: user turns of the open task with words of it, or shouted. `asked_again`: those that are
    one sentence which the user had said before.
    """
    turns = [user for user in seen.task.users[1:] if annoyed(user.fresh or user.turn.text)]
    yield "frustration", counted(turns)
    yield "asked_again", counted(repeated(seen.task.users))


def _annoyed(text: str) -> bool:
    if features(text).does("frustrated") or "!" * _SHOUT in text or "?!" in text or "??" in text:
        return True
    if not text.isupper() or text.lower() == text:
        return False
    return sum(len(word) > 1 and word.isalpha() for word in text.split()) >= _SHOUT


annoyed = Memo(_annoyed)
"""Whether a text has words of frustration, or shouts; remembered by content."""
