"""One sentence as the ledger reads it: its words, values, cues, and what it says is overruled.

A function of the text alone, remembered by content.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from acr.ledger import changes as c
from acr.ledger import words
from acr.ledger.changes import Change, Span
from acr.ledger.values import Value, values
from acr.ledger.word import SPACELESS, Phrases, Word, split
from acr.memo import Memo

Cue = Literal[
    "strong", "weak", "back", "more", "never", "must_not", "always", "confirms", "proposes", "agrees"
]
"""What a sentence may be doing. `never`: it forbids by a negation early in a clause; `must_not`: by words
that forbid wherever they stand."""

LIMIT = 1000
"""Characters: longer "sentences" are data or code, which say nothing about which value replaces which."""
_FIRST = 2
"""Words: what stands further in means something else ("the sure way")."""
_NEAR = 4
"""Words of a clause within which its negation is one of the whole ("Ne me propose jamais")."""
_CORRECTS: tuple[Cue, ...] = ("strong", "weak", "back")

_SPACED: Phrases[Cue] = Phrases(
    {
        "strong": words.STRONG,
        "weak": words.WEAK,
        "back": words.BACK,
        "more": words.MORE,
        "never": words.NEVER,
        "must_not": words.MUST_NOT,
        "always": words.ALWAYS,
        "confirms": words.CONFIRMS,
        "proposes": words.PROPOSES,
        "agrees": words.AGREES,
    }
)
_UNSPACED: dict[Cue, tuple[str, ...]] = {
    "strong": words.SPACELESS_STRONG,
    "weak": words.SPACELESS_WEAK,
    "back": words.SPACELESS_BACK,
    "more": words.SPACELESS_MORE,
    "never": words.SPACELESS_NEVER,
    "always": words.SPACELESS_ALWAYS,
    "confirms": words.SPACELESS_CONFIRMS,
    "proposes": words.SPACELESS_PROPOSES,
    "agrees": words.SPACELESS_AGREES,
}


def _any(runs: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(run) for run in sorted(runs, key=len, reverse=True)))


_RUNS = [(_any(runs), cue) for cue, runs in _UNSPACED.items()]
_CORRECTING_RUNS = _any([run for cue in _CORRECTS for run in _UNSPACED[cue]])


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as read."""

    text: str
    words: tuple[Word, ...] = ()
    values: tuple[Value, ...] = ()
    changes: tuple[Change, ...] = ()
    cues: frozenset[Cue] = frozenset()
    opens: frozenset[Cue] = frozenset()
    """Cues among its first words; in scripts without spaces, at its beginning."""
    rest: frozenset[str] = frozenset()
    """Telling words that are neither value, nor what is counted, nor cue: what the sentence is about."""
    spaceless: bool = False

    def within(self, span: Span) -> list[Word]:
        """Telling words in a part of the text."""
        return [word for word in self.words if span[0] <= word.start and word.end <= span[1] and word.telling]


def clause(read: Sentence, value: Value) -> Span:
    """The clause that a value is in: from comma to comma, or from "and" to "and"."""
    start, end = c.clause(read.text, value.start, value.end)
    for word in read.words:
        if word.text in words.AND:
            if word.end <= value.start:
                start = max(start, word.end)
            elif word.start >= value.end:
                end = min(end, word.start)
    return start, end


def _read(text: str) -> Sentence:
    if len(text) > LIMIT:
        return Sentence(text)
    found = split(text)
    spaceless = not text.isascii() and bool(SPACELESS.search(text))
    known = values(text, found, spaceless)
    hits = [hit for hit in _SPACED.find(found) if hit[0] != "never" or _forbids(text, found, hit[1])]
    runs = (
        [(cue, match.start()) for pattern, cue in _RUNS if (match := pattern.search(text))]
        if spaceless
        else []
    )
    opens = [cue for cue, first, _ in hits if first < _FIRST] + [cue for cue, at in runs if at < _FIRST]
    cued = {index for cue, first, end in hits if cue in _CORRECTS for index in range(first, end)}
    return Sentence(
        text,
        found,
        known,
        c.changes(text, found, spaceless),
        frozenset([cue for cue, *_ in hits] + [cue for cue, _ in runs]),
        frozenset(opens),
        frozenset(_about(text, [w for index, w in enumerate(found) if index not in cued], known, spaceless)),
        spaceless,
    )


def _forbids(text: str, found: Sequence[Word], at: int) -> bool:
    """Whether a negation forbids: near the beginning of its clause, with no subject in front ("Verwende keine
    Tabellen", not "Mein Ofen hat keine Umluft"); and is no "no" before what is said instead ("Non, la M").
    """
    word = found[at]
    begin, _ = c.clause(text, word.start, word.end)
    before = [one.text for one in found[:at] if one.start >= begin]
    while before and before[0] in words.LEADS:
        del before[0]
    if not before:
        return not (word.text in words.REFUSALS and text[word.end : word.end + 1] in (",", "，", "、"))
    return len(before) < _NEAR and before[0] not in words.SUBJECTS


def _about(text: str, found: Sequence[Word], known: Sequence[Value], spaceless: bool) -> Iterator[str]:
    """Telling words that are neither value nor what is counted."""
    units = tuple(unit for value in known for unit in value.units)
    for word in found:
        if not word.telling:
            continue
        inside = [value for value in known if value.start < word.end and word.start < value.end]
        if spaceless and SPACELESS.search(word.text):
            left = text[word.start : word.end]
            for value in inside:
                left = left.replace(text[value.start : value.end], " ")
            yield from words.PARTICLES.sub(" ", _CORRECTING_RUNS.sub(" ", left)).split()
        elif not inside and not (units and word.text.startswith(units)):
            yield word.text


sentence = Memo(_read, size=8192)
"""`Sentence` of a text, remembered by content."""
