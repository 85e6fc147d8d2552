"""Shorten what is bulky, said twice, or mere courtesy.

Noise filtration in the terms of the ACR paper. Three kinds of noise, each left out with a mark or in place:

- *results of tools* that are long and not among the newest: their beginning, their end and whatever a later
  turn names stay; a mark says how much went and that the same call shows it again;
- *paragraphs said twice*, by the user or by the assistant: the first stays, a later one becomes a mark;
- *courtesies* that close an answer ("I hope this helps!"), and answers that are nothing else.

The newest turn, the newest answer, and what the newest turn refers to stay whole. From turn to turn a text
is shortened once, when it is no longer new; after that it keeps its form, so prompt caches stay warm.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acr import views
from acr.conversation import Conversation, Turn
from acr.decision import Context, Kind
from acr.edits import Edit, Rewrite
from acr.invariants import tool_groups
from acr.reading.dialogue import Answer, UserTurn
from acr.reading.features import features
from acr.shorten import paragraphs, shortened, without_repeats
from acr.text import clean, fold, quoted
from acr_operators.courtesies import only_courtesies, without_closing

_PLAIN_NEXT = frozenset({"opening", "requirement", "correction", "restatement", "question"})
"""Acts of a user turn that do not reply to an offer in the answer before it."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Leaves out bulk, repetitions and courtesies, and marks where."""

    bulk: int = 2000
    """Characters from which the result of a tool is shortened."""
    keep: int = 2
    """Tool calls at the end of the conversation whose results stay whole."""

    name: str = "filter"
    kind: Kind = "compressive"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        referred = set(context.tasks[-1].users[-1].refers_to) if context.tasks[-1].users else set()
        read = [each for task in context.tasks for each in task.turns]
        edits = views.without(conversation, set(idle(read)), lambda turn: turn.text.strip())
        edited = {edit.turn for edit in edits if not hasattr(edit, "before")}
        shorter = dict(self.results(conversation, context, referred))
        for turn, text in repeats(conversation, context.language, referred):
            shorter.setdefault(turn, text)
        for turn, text in closings(read, referred):
            shorter.setdefault(turn, text)
        edits += [
            Rewrite(id, clean(text))
            for id, text in shorter.items()
            if id not in edited and conversation.position[id] >= conversation.sealed
        ]
        return edits

    def results(
        self, conversation: Conversation, context: Context, referred: set[str]
    ) -> Iterator[tuple[str, str]]:
        """Bulky results of tools, shortened."""
        groups = tool_groups(conversation)
        old = groups[: len(groups) - self.keep] if self.keep else groups
        bulky = [
            turn
            for group in old
            for turn in group
            if turn.result and len(turn.text) > self.bulk and turn.id not in referred
        ]
        newest = named(conversation.turns[-1])
        for turn in bulky:
            text = shortened(turn.text, newest | after(conversation, turn), context.language)
            if len(text) < len(turn.text):
                yield turn.id, text


def after(conversation: Conversation, turn: Turn) -> set[str]:
    """What the turns that follow name, up to a bound: those right after it first, so that this stays the
    same as the dialogue goes on.
    """
    start = conversation.position[turn.id] + 1
    terms: set[str] = set()
    for following in conversation.turns[start : start + _REACH]:
        terms |= named(following)
        if len(terms) >= _TERMS:
            break
    return terms


_REACH, _TERMS = 40, 150
"""Turns after a result, and terms in them, that are looked for in it."""


def named(turn: Turn) -> set[str]:
    """What a turn names: names, longer figures, quoted spans; of the user's also every content word."""
    if turn.answers or turn.calls or turn.role not in ("user", "assistant"):
        return set()
    found = features(turn.text)
    terms = {*found.names, *(number for number in found.numbers if len(number) > 1)}
    terms.update(map(fold, quoted(turn.text)))
    if turn.role == "user":
        terms.update(word for word in found.tokens if len(word) > _WORD or not word.isascii())
    return terms


_WORD = 4
"""Characters: shorter words of a user turn name nothing in a dump."""


def repeats(conversation: Conversation, language: str, referred: set[str]) -> Iterator[tuple[str, str]]:
    """Turns whose bulky paragraphs all stood in an earlier turn of the same side."""
    said: dict[str, set[str]] = {"user": set(), "assistant": set()}
    whole = {turn.id for turn in (*conversation.turns[-1:], *conversation.assistants[-1:])}
    for turn in conversation:
        if turn.role not in said or turn.answers or turn.calls:
            continue
        text = turn.text
        if turn.plain and turn.id not in whole and turn.id not in referred:
            text = without_repeats(text, said[turn.role], language)
        if text != turn.text:
            yield turn.id, text
        else:
            said[turn.role].update(paragraphs(text))


def exchanges(read: Sequence[UserTurn | Answer]) -> Iterator[tuple[UserTurn | None, Answer, UserTurn]]:
    """Each answer that a user turn follows, with the turns before and after it."""
    for index in range(len(read) - 1):
        answer, after = read[index], read[index + 1]
        if isinstance(answer, Answer) and isinstance(after, UserTurn):
            before = read[index - 1] if index else None
            yield before if isinstance(before, UserTurn) else None, answer, after


def idle(read: Sequence[UserTurn | Answer]) -> Iterator[str]:
    """Answers that only return a courtesy. They hold nothing to refer to, but a reply may need them."""
    for before, answer, after in exchanges(read):
        thanked = before is not None and before.act == "chat"
        if thanked and after.act not in ("chat", "reply") and only_courtesies(answer.turn.text):
            yield answer.turn.id


def closings(read: Sequence[UserTurn | Answer], referred: set[str]) -> Iterator[tuple[str, str]]:
    """Answers without the courtesies that close them; the newest answer stays as it is."""
    newest = next((each.turn.id for each in reversed(read) if isinstance(each, Answer)), None)
    for _, answer, after in exchanges(read):
        turn = answer.turn
        if turn.id == newest or turn.id in referred or not turn.plain or after.act not in _PLAIN_NEXT:
            continue
        if turn.id not in after.refers_to:
            text = without_closing(turn.text)
            if text != turn.text:
                yield turn.id, text
