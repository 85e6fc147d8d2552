"""What a turn does, judged by what came before it.

A user turn states, adds, corrects, refers, replies, thanks or asks anew; an answer attempts, does the work
again, builds on the one before it, refuses.
"""

from collections.abc import Sequence, Set

from acr import text as t
from acr.conversation import Turn
from acr.reading.artefact import artefact, labels
from acr.reading.attempt import ATTEMPT, attempt
from acr.reading.features import Features, features
from acr.reading.overrules import overrules
from acr.reading.reference import Shown, bare, reference
from acr.reading.task import Answer, Task, UserAct, UserTurn
from acr.reading.weights import ARTEFACT, DRAFT, THRESHOLD

_CHAT = 6
"""Tokens: a turn of thanks or approval longer than this says something else too."""
_SHORT_THANKS = 80
"""Characters: thanks are not longer."""
_FIRST = 2
"""Tokens: approval stands at the beginning ("Haha, danke. …"); further in, the word means something else."""
_BRIEF = 160
"""Characters of one or two sentences."""
_REPLY = 4
"""Tokens: an answer to a question that cannot stand without it is about this short."""
_RECENT = 3
"""Answers back to which an attempt is compared."""
_SURE = 0.8
"""Chance from which a turn refers to an answer that has been approved: what follows
is mostly something else."""
_SAME = 0.6
"""Share of a turn's topic words that the opening already had, from which it only restates it."""


def answer(turn: Turn, found: Features, task: Task, shown: Shown) -> Answer:
    chance = attempt(turn.text, shown.user_numbers)
    before = [answer for answer in task.answers[-_RECENT:] if answer.attempt >= ATTEMPT]
    apart = labels(turn.text)
    repeats = max((_overlap(features(answer.turn.text), found, apart) for answer in before), default=0.0)
    carries = _carries(found, task, apart)
    gone_on = found.numbers & features(before[-1].turn.text).numbers - shown.user_numbers if before else ()
    asks = _asks(found) and not (chance >= ATTEMPT and found.does("offer"))
    figures = bool(found.numbers - shown.user_numbers)
    return Answer(
        turn,
        attempt=chance,
        asks=asks,
        repeats=repeats,
        figures=figures,
        result=found.worked or (found.call and not found.code) or (figures and _brief(found)),
        carries=carries,
        free=not (task.numbers or task.names - apart),
        builds=bool(gone_on) and found.worked and not carries,
        refuses=found.does("insufficient") and not (asks or found.code or found.items > 2),
    )


def _brief(found: Features) -> bool:
    """A statement and no draft: what says a figure in so few words is a result, marked as one or not."""
    return found.length <= _BRIEF and not (found.code or found.items or found.questions)


def _carries(found: Features, task: Task, apart: Set[str]) -> bool:
    """A figure, a name or two topic words of earlier user turns that the newest one does not have.

    What is `apart` does not count.
    """
    if len(task.users) < 2:
        return False
    newest = features(task.users[-1].fresh)
    used = (task.content & found.content) - newest.content
    figures = (task.numbers & found.numbers) - newest.numbers
    names = task.names.intersection(found.tokens) - apart - set(newest.tokens)
    return len(used) > 1 or bool(figures or names)


def _overlap(before: Features, after: Features, apart: Set[str]) -> float:
    """Containment of the smaller content in the larger one, figures included, without what is `apart`."""
    stems = {t.stem(word) for word in apart}
    old, new = (before.content - stems) | before.numbers, (after.content - stems) | after.numbers
    return len(old & new) / max(1, min(len(old), len(new)))


def judge(turn: Turn, said: Sequence[str], task: Task, shown: Shown) -> UserTurn:
    """What a turn does, by the sentences of it that the user had not said before."""
    thanked = [text for text in said if len(text) <= _SHORT_THANKS and _thanks(features(text))]
    rest = [text for text in said if text not in thanked] if len(thanked) < len(said) else said
    text = "\n".join(rest)
    found = features(text)
    opening = task.users[0] if task.users else None
    informative = bool(found.numbers - shown.numbers or found.names - shown.tokens)
    if opening is None:
        return UserTurn(turn, "opening", informative)
    if not found.tokens:
        return UserTurn(turn, "chat", False)
    last = task.answers[-1] if task.answers else None
    asks = _asks_anew(rest, found, task, shown)
    if found.does("new_topic") and (asks or _unrelated(found, shown)):
        return UserTurn(turn, "opening", informative)
    short = len(found.tokens) <= _REPLY and found.length <= 40
    if last and last.asks and short:
        return UserTurn(turn, "reply", informative, _id(last))
    if _thanks(found):
        return UserTurn(turn, "chat", informative)
    over = last is not None and not task.accepted and artefact(last.turn.text) is not None
    evidence = reference(found, text, shown, _likely(task, over, shown))
    refers_to = evidence.refers_to
    if _approves(found) or thanked:
        if asks and not _adds(found):
            return UserTurn(turn, "opening", informative)
        if not thanked:
            return UserTurn(
                turn,
                "chat" if len(found.tokens) <= _CHAT else "reference",
                informative,
                refers_to or _id(last),
            )
    if over and found.does("fails"):
        return UserTurn(turn, "reference", informative, refers_to or _id(last))
    alone = over and not evidence.certain and (_orders(found) or not evidence.joined)
    replaces = over and overrules(text, found, task)
    free = not (evidence.certain or asks)
    leans = over and free and (bool(refers_to) or not evidence.apart or replaces)
    edits = leans and (replaces or (evidence.edits and not evidence.lasts))
    if leans and (refers_to or evidence.edits or replaces):
        about = refers_to or _id(last)
        return UserTurn(turn, _more(found), informative, about, alone=alone, leans=True, edits=edits)
    restates = not alone and _restates(found, task)
    if refers_to and not (restates and found.asks and len(found.content) > 1):
        return UserTurn(turn, "reference", informative, refers_to)
    if restates:
        return UserTurn(turn, "restatement", informative)
    if task.accepted or (thanked and not _goes_on(found, task)):
        return UserTurn(turn, "correction" if found.does("correction") else "opening", informative)
    if asks and not _adds(found):
        return UserTurn(turn, "question", informative)
    asked = _id(last) if last and last.asks else ()
    return UserTurn(turn, _more(found), informative, asked, alone=alone, leans=leans)


def _likely(task: Task, over: bool, shown: Shown) -> float:
    """The chance from which the newest turn is taken to refer to what the assistant said."""
    if task.accepted:
        return _SURE
    return ARTEFACT if over else THRESHOLD if shown.result else DRAFT


def _more(found: Features) -> UserAct:
    """What a turn is that says more about what is wanted."""
    return "correction" if found.does("correction") else "requirement"


def _orders(found: Features) -> bool:
    """Begins with an order to make something: a query, a function of its own."""
    return any(where < _FIRST for where in found.acts.get("makes", ()))


def _thanks(found: Features) -> bool:
    """Thanks, and says nothing else. "Yes, let's do that" agrees to something: that is more."""
    return (
        found.does("thanks")
        and len(found.tokens) <= _CHAT
        and not (
            found.asks or found.numbers or found.does("operation", "reference", "rework", "ordinal", "states")
        )
    )


def _adds(found: Features) -> bool:
    """A request for more of the same put as a question ("Could you also skip spaces?")."""
    return found.does("polite") and found.does("also")


def _goes_on(found: Features, task: Task) -> bool:
    """After thanks: a fact or a condition for the same task, not another order."""
    known = task.content | features(task.users[-1].fresh).content
    return found.does("states", "also") or bool(found.content & known)


def _id(last: Answer | None) -> tuple[str, ...]:
    return (last.turn.id,) if last else ()


def _approves(found: Features) -> bool:
    return any(0 <= where < _FIRST for where in found.acts.get("accept", ())) or (
        found.does("accept") and len(found.tokens) <= _CHAT and not found.asks
    )


def _asks_anew(said: Sequence[str], found: Features, task: Task, shown: Shown) -> bool:
    """Asks something that the user has not asked before."""
    if not found.questions:
        return False
    asked = [text for text in said if t.asks(text) and bare(text) not in shown.said]
    return any(not _covered(features(text), task) for text in asked)


def _asks(found: Features) -> bool:
    return found.asks or (found.does("more_needed") and found.questions > 0)


def _restates(found: Features, task: Task) -> bool:
    """Says again what the task was opened with: the goal repeated, or asked once more."""
    return bool(found.content) and _covered(found, task)


def _covered(found: Features, task: Task) -> bool:
    said = features(task.users[0].turn.text).content
    return len(found.content & said) >= _SAME * len(found.content)


def _unrelated(found: Features, shown: Shown) -> bool:
    return bool(found.content) and not found.content & shown.content


def sentences(turn: Turn) -> list[str]:
    """The user's sentences, bullets and leading dashes cut off."""
    return [s for s in (part.lstrip("-*• ").strip() for part in t.sentences(turn.text)) if s]
