"""Answer attempts of the open task: how many, which came too early, which are obsolete.

Sources: LiC (Laban et al., arXiv 2505.06120), §4 for response types, appendix F for the rest.
"""

from collections.abc import Iterator

from acr.reading.dialogue import Answer
from acr.reading.staleness import again, artefacts, drafts, stale
from acr.signals.core import ABSENT, Signal
from acr.signals.seen import Seen, counted

NAMES = ("attempts", "premature", "refusals", "redone", "stale", "drafts", "artefacts", "bloat")


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`docs/signals.md` says what each is."""
    attempts = seen.attempts
    yield "attempts", counted(attempts)
    yield "premature", counted(_premature(seen))
    yield "refusals", counted([answer for answer in seen.task.answers if answer.refuses])
    yield "redone", counted([answer for answer in attempts if again(answer)])
    yield "stale", counted(stale(seen.task))
    yield "drafts", counted(drafts(seen.task))
    yield "artefacts", counted(artefacts(seen.task))
    yield "bloat", _bloat(attempts)


def _premature(seen: Seen) -> list[Answer]:
    """Conclusions after which the user had more to say about what is wanted (LiC, appendix F)."""
    if not seen.specifying:
        return []
    position = seen.conversation.position
    last = position[seen.specifying[-1].turn.id]
    return [answer for answer in seen.task.conclusions if position[answer.turn.id] < last]


def _bloat(attempts: list[Answer]) -> Signal:
    """Length of the last attempt over that of the first (LiC, appendix F: later attempts grow by 20-300%)."""
    if len(attempts) < 2 or not attempts[0].turn.text:
        return ABSENT
    ratio = len(attempts[-1].turn.text) / len(attempts[0].turn.text)
    return Signal(round(ratio, 3), (attempts[0].turn.id, attempts[-1].turn.id))
