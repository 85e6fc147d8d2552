"""What the last answer makes of what it was told: does it repeat itself, change its mind, leave things out?

LiC (Laban et al. 2025, §6 and app. F) names the failures: models hold on to their first answer, and forget
what was said in the middle. A requirement counts as taken up if a figure or name of it is in the answer, or,
where it has none, two of its telling words (or its only one).
"""

from collections.abc import Iterator

from acr.reading.dialogue import Answer, UserTurn
from acr.reading.features import features
from acr.reading.staleness import SPECIFYING
from acr.signals.core import ABSENT, Signal
from acr.signals.seen import Seen

_TOLD = SPECIFYING | {"reference"}
NAMES = ("repetition", "flip", "ignored", "middle_loss", "closeness")


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`docs/signals.md` says what each is."""
    yield "repetition", _repetition(seen.attempts)
    yield "flip", _flip(seen)
    if not seen.task.answers:
        return
    last = seen.task.answers[-1]
    told = [user for user in seen.before if _telling(user)]
    missed = [user for user in told if not _taken_up(user, last)]
    evidence = (*(user.turn.id for user in missed), last.turn.id) if missed else ()
    yield "ignored", Signal(len(missed), evidence)
    yield "middle_loss", _middle(told, missed)
    yield "closeness", _closeness(told, last)


def _middle(told: list[UserTurn], missed: list[UserTurn]) -> Signal:
    """What was missed between a first and a last turn that both were taken up."""
    ends = {told[0].turn.id, told[-1].turn.id} if told else set()
    ids = tuple(user.turn.id for user in missed)
    return Signal(len(ids), ids) if ids and ends.isdisjoint(ids) else ABSENT


def _repetition(attempts: list[Answer]) -> Signal:
    """Share of its content that the last attempt has from one just before it."""
    if len(attempts) < 2:
        return ABSENT
    return Signal(round(attempts[-1].repeats, 3), (attempts[-2].turn.id, attempts[-1].turn.id))


def _flip(seen: Seen) -> Signal:
    """Attempts whose final figure changed although the user had said nothing new since the one before it:
    had accepted it, or had only asked about it.
    """
    flipped: list[str] = []
    before: Answer | None = None
    told = False
    attempts = {answer.turn.id for answer in seen.attempts}
    for read in seen.task.turns:
        if isinstance(read, UserTurn):
            told = told or (
                read.act not in ("chat", "question")
                and not (read.act == "reference" and not read.informative)
            )
        elif read.turn.id in attempts:
            if (
                before is not None
                and not told
                and _final(before)
                and _final(read) not in ("", _final(before))
            ):
                flipped += [before.turn.id, read.turn.id]
            before, told = read, False
    return Signal(len(flipped) // 2, tuple(flipped))


def _final(answer: Answer) -> str:
    """The last figure that an answer gives."""
    return features(answer.turn.text).last_number


def _telling(user: UserTurn) -> bool:
    """Whether a turn says something that an answer must show. A question need not come up in its answer."""
    found = features(user.fresh)
    exact = bool(found.numbers or found.names)
    return exact if user.act == "opening" else user.act in _TOLD and (exact or bool(found.telling))


def _taken_up(user: UserTurn, answer: Answer) -> bool:
    told, shown = features(user.fresh), features(answer.turn.text)
    exact = told.numbers | told.names
    if exact:
        return bool(told.numbers & shown.numbers) or not told.names.isdisjoint(shown.tokens)
    return len(told.telling & shown.telling) >= min(2, len(told.telling))


def _closeness(told: list[UserTurn], last: Answer) -> Signal:
    """Share of the figures and names that the user gave which the last answer has."""
    shown = features(last.turn.text)
    given = [(name, user.turn.id) for user in told for name in _exact(user)]
    if not given:
        return ABSENT
    missing = [id for name, id in given if name not in shown.numbers and name not in shown.tokens]
    return Signal(round(1 - len(missing) / len(given), 3), (*dict.fromkeys(missing), last.turn.id))


def _exact(user: UserTurn) -> frozenset[str]:
    found = features(user.fresh)
    return found.numbers | found.names
