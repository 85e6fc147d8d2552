"""Which time the user speaks of (ChronoScope, arXiv 2604.23051: models drift to the present)."""

import re
from collections.abc import Iterator

from acr.memo import Memo
from acr.signals.core import ABSENT, Signal
from acr.signals.seen import Seen

NAMES = ("time_scope", "time_shift")
_YEAR = re.compile(r"(?<![\d.,:/-])(?:1[5-9]|20)\d\d(?![\d:]|[.,]\d)")
_years = Memo(lambda text: frozenset(_YEAR.findall(text)))
"""The years that a text names."""


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`time_scope`: years that user turns of the open task name. `time_shift`: 1 if the newest turn names
    one where an earlier turn had named another.
    """
    named = [(user.turn.id, _years(user.turn.text)) for user in seen.task.users]
    years = frozenset[str]().union(*(found for _, found in named))
    evidence = tuple(id for id, found in named if found)
    yield "time_scope", Signal(len(years), evidence)
    earlier = frozenset[str]().union(*(found for _, found in named[:-1]))
    shifts = bool(named and earlier and named[-1][1] - earlier)
    yield "time_shift", Signal(1.0, evidence) if shifts else ABSENT
