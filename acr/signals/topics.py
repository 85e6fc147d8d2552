"""Does the newest turn leave the topic, or come back to an earlier one?"""

from collections.abc import Iterator

from acr.reading.dialogue import Task
from acr.reading.features import features
from acr.signals.core import ABSENT, Signal
from acr.signals.seen import Seen

NAMES = ("switch", "return")
_BACK = 8
"""Tasks back that are looked at."""


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`switch`: 1 if the newest turn opens another task. `return`: share of its telling words that belong
    to an earlier task and not to the one before it.
    """
    if seen.newest is None:
        return
    id = seen.newest.turn.id
    opens = seen.newest.act == "opening" and len(seen.tasks) > 1
    yield "switch", Signal(float(opens), (id,) if opens else ())
    yield "return", _return(seen)


def _return(seen: Seen) -> Signal:
    assert seen.newest is not None
    words = features(seen.newest.fresh).telling
    current = seen.tasks[-2] if seen.newest.act == "opening" and len(seen.tasks) > 1 else seen.task
    known = _words(current, without=seen.newest.turn.id)
    earlier = [task for task in seen.tasks[-_BACK:] if task is not current and task is not seen.task]
    best = max(earlier, key=lambda task: len(words & _words(task) - known), default=None)
    if best is None or not words or not (back := words & _words(best) - known):
        return ABSENT
    return Signal(round(len(back) / len(words), 3), (best.users[0].turn.id, seen.newest.turn.id))


def _words(task: Task, without: str = "") -> frozenset[str]:
    parts = [features(user.turn.text).telling for user in task.users if user.turn.id != without]
    return frozenset[str]().union(*parts)
