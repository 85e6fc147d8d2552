"""What both sides make of each other's turns: proposals agreed to, questions answered, turns taken up.

Commitments and grounding as "Dialogue is the Plan" (Inan, Alikhani and Sicilia, ACL 2026) wants them explicit;
the signs of grounding are those of Clark and Schaefer (1989): acknowledgement, and display of what was said.
"""

from collections.abc import Iterator

from acr import text as t
from acr.ledger.sentence import sentence
from acr.reading.attempt import ATTEMPT
from acr.reading.dialogue import Answer, UserTurn
from acr.reading.features import features

_TAIL = 600
"""Characters at the end of an assistant turn in which its proposals and questions are looked for."""
_QUESTIONS = 6
"""Questions of one turn that are remembered."""
_BRIEF = 400
"""Characters: a longer answer that begins with "Sure" does the work, and settles nothing."""
_DISPLAYED = 0.5
"""Share of what a user turn brought that an answer shows when it has taken it up."""


def questions(text: str) -> list[str]:
    """The last questions in a text, verbatim."""
    if not features(text).questions:
        return []
    return [part for part in t.sentences(text[-_TAIL:]) if t.asks(part)][-_QUESTIONS:]


def proposal(answer: Answer) -> str:
    """What an assistant turn proposes, verbatim; "" if nothing."""
    tail = t.sentences(answer.turn.text[-_TAIL:])
    for part in reversed(tail):
        if "proposes" in sentence(part).cues:
            return part
    if tail and t.asks(tail[-1]) and (features(tail[-1]).names or features(tail[-1]).numbers):
        return tail[-1]
    return ""


def agreement(user: UserTurn) -> str:
    """The words with which a user turn agrees to what was proposed, verbatim; "" if it does not."""
    said = t.sentences(user.turn.text[:_TAIL])
    if not said:
        return ""
    read = sentence(said[0])
    agreed = "agrees" in read.opens or (user.act == "chat" and features(said[0]).does("accept"))
    return said[0] if agreed and not read.changes and "strong" not in read.cues else ""


def confirmation(answer: Answer) -> str:
    """The words with which an assistant turn confirms what the user said, verbatim; "" if it does not."""
    text = answer.turn.text
    if len(text) > _BRIEF or answer.refuses:
        return ""
    first = next(iter(t.sentences(text)), "")
    return first if "confirms" in sentence(first).opens else ""


def takes_up(answer: Answer, user: UserTurn) -> bool:
    """Whether an assistant turn shows that it took up a user turn: it confirms, or has what that brought."""
    if confirmation(answer):
        return True
    brought, shown = features(user.fresh or user.turn.text), features(answer.turn.text)
    telling = brought.numbers | brought.names
    if telling:
        return len(telling & (shown.numbers | frozenset(shown.tokens))) >= _DISPLAYED * len(telling)
    wanted = brought.content
    return bool(wanted) and len(wanted & shown.content) >= _DISPLAYED * len(wanted)


def answers(answer: Answer) -> bool:
    """Whether an assistant turn answers rather than asks back or gives up."""
    return not answer.refuses and (not answer.asks or answer.attempt >= ATTEMPT)


def replies(user: UserTurn, asked: list[str]) -> Iterator[int]:
    """Indexes of the assistant's questions that a user turn answers: a lone one by being next and not a
    question itself; of several those that it speaks of.
    """
    if user.act in ("question", "opening"):
        return
    said = features(user.turn.text).content
    for index, text in enumerate(asked):
        if len(asked) == 1 or said & features(text).content:
            yield index
