"""What both sides make of each other's turns: proposals agreed to, questions answered, turns taken up.

Commitments and grounding made explicit as "Dialogue is the Plan" (Inan, Alikhani and Sicilia, ACL 2026) wants
them; the signs of grounding are those of Clark and Schaefer (1989): acknowledgement, and display of what was
said.
"""

from collections.abc import Iterator, Sequence

from acr import text as t
from acr.ledger.sentence import sentence
from acr.ledger.words import REFUSALS
from acr.memo import Memo
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


def _tail(text: str) -> tuple[str, ...]:
    return tuple(t.sentences(text[-_TAIL:]))


tail = Memo(_tail, size=4096)
"""The last sentences of a text, remembered by content."""


def questions(said: Sequence[str]) -> list[str]:
    """The last questions among sentences."""
    return [part for part in said if t.asks(part)][-_QUESTIONS:]


def proposal(answer: Answer) -> str:
    """What an assistant turn proposes, verbatim; "" if nothing. "Shall I book it?" stands with what it is
    about, the sentence before.
    """
    said = tail(answer.turn.text)
    for at in range(len(said) - 1, -1, -1):
        if "proposes" in sentence(said[at]).cues:
            return (
                said[at]
                if at == 0 or _names(said[at])
                else _together(answer.turn.text, *said[at - 1 : at + 1])
            )
    return said[-1] if said and t.asks(said[-1]) and _names(said[-1]) else ""


def _names(text: str) -> bool:
    """Whether a sentence says what it is about: a name, a figure, a day, something quoted."""
    found = features(text)
    return bool(found.names or found.numbers or sentence(text).values or t.quoted(text))


def _together(text: str, first: str, second: str) -> str:
    """Two neighbouring sentences with what stands between them."""
    end = text.rindex(second) + len(second)
    return text[text.rindex(first, 0, end) : end]


def agreement(user: UserTurn, first: str) -> str:
    """The words with which a user turn agrees to a proposal, its `first` sentence; "" if it does not."""
    read = sentence(first)
    if not read.words or read.words[0].text in REFUSALS:
        return ""
    agreed = "agrees" in read.opens or (user.act == "chat" and features(first).does("accept"))
    corrects = read.changes or (read.values and "strong" in read.cues)
    return first if agreed and not corrects else ""


def confirmation(answer: Answer) -> str:
    """The words with which an assistant turn confirms what the user said, verbatim; "" if it does not."""
    text = answer.turn.text
    if len(text) > _BRIEF or answer.refuses:
        return ""
    first = next(iter(tail(text)), "")
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
    return not answer.refuses and (not answer.asks or answer.attempt >= ATTEMPT or answer.figures)


def replies(user: UserTurn, asked: Sequence[str]) -> Iterator[int]:
    """Indexes of the assistant's questions that a user turn answers: a lone one by being next and not a
    question itself; of several those that it speaks of.
    """
    if user.act in ("question", "opening"):
        return
    said = features(user.turn.text).content
    for index, text in enumerate(asked):
        if len(asked) == 1 or said & features(text).content:
            yield index
