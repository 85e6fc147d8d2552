"""The same slot said anew with another value: "make it 5 people", "Budget is 500." after "Budget is 300."

Careful on purpose: with a word of correction the sentence must be about the slot and nothing else, or say so
strongly; without one it must say the same words again. Two values it could replace: it replaces neither.
"""

from collections.abc import Iterator, Sequence

from acr.ledger.changes import Span
from acr.ledger.core import How, Item
from acr.ledger.match import meet
from acr.ledger.sentence import Sentence, clause, sentence
from acr.ledger.strike import Open, Strike, struck
from acr.ledger.values import NUMBERS, Value
from acr.ledger.word import Word
from acr.ledger.words import INDEFINITE
from acr.text import fold

_NEAR = 40
"""Items looked back at for a name after the same preposition."""


def again(
    items: Sequence[Item], read: Sentence, own: list[tuple[Span, How]], task: Open, *, reply: bool
) -> Iterator[Strike]:
    """Strike the current values of slots that a sentence fills anew.

    `own`: parts of it that it names only to overrule them; `reply`: it answers a question of the assistant.
    """
    strong, weak = "strong" in read.cues, bool(read.cues & {"weak", "back"})
    if not strong and ("more" in read.cues or len(read.values) > 1):
        return
    for value in read.values:
        if any(meet((value.start, value.end), span) for span, _ in own):
            continue
        held = [
            (at, old)
            for at, old in task.same(value)
            if old.key != value.key
            and _same_slot(value, old, cued=strong or weak, plain=strong or not read.rest)
        ]
        if not strong:
            held = [(at, old) for at, old in held if _fits(read, items[at], old, cued=weak)]
        if len({old.key for _, old in held}) > 1:
            held = [(at, old) for at, old in held if _shares(read, items[at], old)]
        if len({old.key for _, old in held}) != 1:
            continue
        if strong or weak or not (reply or _alone(read, value)):
            for at, old in held:
                yield Strike(at, (old.start, old.end), len(items), (value.start, value.end), "restated")


def _alone(read: Sentence, value: Value) -> bool:
    """Whether nothing tells which slot a value fills, or that it is not one more."""
    before = [word.text for word in read.words if word.end <= value.start]
    if before and before[-1] in INDEFINITE:
        return True
    return not read.rest and not value.units


def _fits(read: Sentence, item: Item, old: Value, *, cued: bool) -> bool:
    """Whether a sentence that does not say so clearly is about the slot of an earlier value."""
    if not read.rest:
        return True
    before = sentence(item.text)
    start, end = clause(before, old)
    foreign = {word for word in read.rest if not _says(before, word, start, end)}
    if foreign:
        return (
            cued and bool(old.units) and len(foreign) == 1 < len(read.rest) and not _named_any(read, foreign)
        )
    return cued or {word for word in before.rest if _says(before, word, start, end)} <= read.rest


def _named_any(read: Sentence, found: set[str]) -> bool:
    """Whether one of these words of a sentence is a name, as far as a capital tells."""
    return any(word.text in found and not read.text[word.start].islower() for word in read.words)


def _shares(read: Sentence, item: Item, old: Value) -> bool:
    """Whether the clause of an earlier value is about something that the sentence is about."""
    before = sentence(item.text)
    return any(_says(before, word, *clause(before, old)) for word in read.rest)


def _says(before: Sentence, word: str, start: int, end: int) -> bool:
    """Whether a part of a sentence has that word."""
    if before.spaceless:
        return word in fold(before.text[start:end])
    return any(start <= one.start < end and one.text == word for one in before.words)


def _same_slot(new: Value, old: Value, *, cued: bool, plain: bool) -> bool:
    """`cued`: the sentence has a word of correction; `plain`: it says little else."""
    if new.kind not in NUMBERS:
        return new.kind == old.kind
    if cued:
        return bool(new.units & old.units) or (plain and "bare" in (new.kind, old.kind))
    return bool(new.units) and new.units <= old.units


def renamed(items: Sequence[Item], read: Sentence, turn: str, task: Open) -> Iterator[Strike]:
    """Strike the one name that stands after the same preposition as the only name of a correction ("Actually
    to Naples" after "from Dublin to Rome"). Not in German, whose nouns all have capitals, nor in scripts
    that have none.
    """
    named = _named(read)
    if not read.cues & {"strong", "weak"} or "more" in read.cues or len(named) != 1:
        return
    preposition, span = named[0]
    if read.rest != {word.text for word in read.within(span)}:
        return
    found = [
        (at, old)
        for at in range(max(task.first, len(items) - _NEAR), len(items))
        for before, old in _named(sentence(items[at].text))
        if before == preposition and items[at].turn != turn and not struck(items[at], old)
    ]
    if len(found) == 1:
        yield Strike(found[0][0], found[0][1], len(items), span, "restated")


def _named(read: Sentence) -> list[tuple[str, Span]]:
    """Runs of capitalised words, each with the word in front, where that is a preposition or the like."""
    result: list[tuple[str, Span]] = []
    before: Word | None = None
    run: list[Word] = []
    for word in (*read.words, None):
        if word and word.telling and read.text[word.start].isupper():
            run.append(word)
            continue
        if run and before and not before.telling and before.text not in _ARTICLES:
            result.append((before.text, (run[0].start, run[-1].end)))
        before, run = word, []
    return result


_ARTICLES = frozenset(
    "am im zum zur ins vom den dem der die das ein eine einen einem einer mit von nach".split()
)
"""German words in front of nouns: a capital after them tells nothing."""
