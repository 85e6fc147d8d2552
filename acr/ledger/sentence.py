"""One sentence of the user as the ledger reads it: its words, values, cues, and what it says is overruled.

A function of the text alone, remembered by content.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from acr.ledger import words
from acr.ledger.values import LIMIT, Value, values
from acr.memo import Memo
from acr.text import fold

Cue = Literal["strong", "weak", "back", "more", "never", "always", "confirms", "proposes", "agrees"]
Span = tuple[int, int]

_WORD = re.compile(r"[^\s,;:!?…。、，！？；：\"“”«»„()\[\]{}<>|·`*]+")
_ELIDED = re.compile(r"[^\W\d_]{1,2}['’](?=\w\w)")
_FIRST = 2
"""Words: what stands further in means something else ("the sure way")."""
_CLAUSE = re.compile(r"[,;:!?，、；：–—]+\s*|\.\s+")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word where it stands."""

    start: int
    end: int
    text: str
    """Folded."""

    @property
    def telling(self) -> bool:
        """Whether it may name a value."""
        return self.text not in words.FUNCTION and any(map(str.isalnum, self.text))


@dataclass(frozen=True, slots=True)
class Change:
    """What a sentence says is overruled, in its own words."""

    how: Literal["replaced", "withdrawn"]
    old: Span
    new: Span | None
    sure: bool
    """The words allow no other reading, whether or not the old value is found: "instead of", "forget"."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as read."""

    text: str
    words: tuple[Word, ...]
    values: tuple[Value, ...]
    changes: tuple[Change, ...]
    cues: frozenset[Cue]
    opens: frozenset[Cue]
    """Cues among its first words; in scripts without spaces, at its beginning."""
    rest: frozenset[str]
    """Telling words that are neither value, nor what is counted, nor cue: what the sentence is about."""
    spaceless: bool

    def within(self, span: Span) -> list[Word]:
        """Telling words in a part of the text."""
        return [word for word in self.words if span[0] <= word.start and word.end <= span[1] and word.telling]


def split(text: str) -> tuple[Word, ...]:
    """The words of a text with their places; elided articles (`l'`, `d'`) stand alone."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        start, whole = match.start(), match.group()
        whole = whole.rstrip(".'’-–—")
        elided = _ELIDED.match(whole)
        if elided:
            found.append(Word(start, start + elided.end() - 1, fold(whole[: elided.end() - 1])))
            start, whole = start + elided.end(), whole[elided.end() :]
        if whole:
            found.append(Word(start, start + len(whole), fold(whole).replace("’", "'")))
    return tuple(found)


_CUES: dict[Cue, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "strong": (words.STRONG, words.SPACELESS_STRONG),
    "weak": (words.WEAK, words.SPACELESS_WEAK),
    "back": (words.BACK, words.SPACELESS_BACK),
    "more": (words.MORE, words.SPACELESS_MORE),
    "never": (words.NEVER, words.SPACELESS_NEVER),
    "always": (words.ALWAYS, words.SPACELESS_ALWAYS),
    "confirms": (words.CONFIRMS, words.SPACELESS_CONFIRMS),
    "proposes": (words.PROPOSES, words.SPACELESS_PROPOSES),
    "agrees": (words.AGREES, words.SPACELESS_AGREES),
}

_PHRASES: dict[str, list[tuple[tuple[str, ...], Cue]]] = {}
for _cue, (_spaced, _) in _CUES.items():
    for _phrase in _spaced:
        _parts = tuple(word.text for word in split(_phrase))
        _PHRASES.setdefault(_parts[0], []).append((_parts, _cue))
_RUNS = [(re.compile("|".join(map(re.escape, runs))), cue) for cue, (_, runs) in _CUES.items() if runs]


def cues(found: tuple[Word, ...]) -> dict[Cue, set[int]]:
    """Cues in a text, with the indexes of the words that carry them."""
    hits: dict[Cue, set[int]] = {}
    said = [word.text for word in found]
    for index, word in enumerate(said):
        for parts, cue in _PHRASES.get(word, ()):
            if len(parts) == 1 or tuple(said[index : index + len(parts)]) == parts:
                hits.setdefault(cue, set()).update(range(index, index + len(parts)))
    return hits


def runs(text: str) -> Iterator[tuple[Cue, int]]:
    """Cues in scripts without spaces, with where they begin."""
    for pattern, cue in _RUNS:
        if match := pattern.search(text):
            yield cue, match.start()


_CUE_RUNS = re.compile(
    "|".join(
        re.escape(run)
        for run in sorted(
            words.SPACELESS_STRONG + words.SPACELESS_WEAK + words.SPACELESS_BACK, key=len, reverse=True
        )
    )
)
_OLD = r"(?P<old>[^,;.!?\n]{1,80}(?:[.,]\d[^,;.!?\n]{0,60})?)"
_NOT = r"(?:not|nicht|pas|no|não|non|niet|inte|nie|не|geen|kein|keine|keinen)"


def _either(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Form:
    """A form of words that names what is overruled."""

    triggers: frozenset[str]
    """One of these words is in every sentence of that form."""
    pattern: re.Pattern[str]
    how: Literal["replaced", "withdrawn"]
    sure: bool
    order: bool = False
    """Only at the beginning of a clause: "he wants to remove a block" orders nothing."""


_FORMS = tuple(
    Form(
        frozenset(split(phrase)[0].text for phrase in phrases),
        re.compile(pattern, re.IGNORECASE),
        how,
        sure,
        *order,
    )
    for phrases, pattern, how, sure, *order in (
        (
            words.INSTEAD,
            rf"(?P<new>.*?)(?<!\w)(?:{_either(words.INSTEAD)})['’\s]\s*{_OLD}",
            "replaced",
            True,
        ),
        (
            words.entries("not|nicht|pas|no|não|non|niet|inte|nie|не"),
            rf"(?<!\w){_NOT}\s+{_OLD},?\s+(?:but|sondern|mais|sino|mas|ma|maar|utan|lecz|а)\s+(?P<new>.+)",
            "replaced",
            True,
        ),
        (
            words.entries("not|nicht|pas|no|não|non|niet|inte|nie|не|geen|kein|keine|keinen"),
            rf"(?P<new>.*?)[,;:–—-]\s*(?:and\s|und\s|et\s|y\s|e\s|а\s|en\s|och\s)?{_NOT}\s+{_OLD}",
            "replaced",
            False,
        ),
        (
            words.entries(
                "change|switch|swap|replace|ändere|ersetze|tausche|remplace|change|cambia|reemplaza"
                "|substitui|troca|sostituisci|vervang|verander|byt|ersätt|zamień|zmień|замени"
            ),
            r"(?<!\w)(?:change|switch|swap|replace|ändere|ersetze|tausche|remplace|cambia|reemplaza|substitui"
            r"|troca|sostituisci|vervang|verander|byt|ersätt|zamień|zmień|замени)\s+(?:from\s+|out\s+)?"
            r"(?P<old>[^,;.!?\n]{1,60}?)\s+"
            r"(?:to|with|for|by|zu|auf|durch|gegen|par|por|com|con|door|in|till|mot|med|na|на)\s+(?P<new>.+)",
            "replaced",
            True,
            True,
        ),
        (("yerine",), rf"{_OLD}\s+yerine(?P<new>.*)", "replaced", True),
        (("के",), rf"{_OLD}\s+के बजाय(?P<new>.*)", "replaced", True),
        (("नहीं",), rf"(?P<new>[^,]+),\s*{_OLD}\s+नहीं", "replaced", True),
        (words.DROP, rf"(?<!\w)(?:{_either(words.DROP)})\s+{_OLD}", "withdrawn", True, True),
        (words.NEEDLESS, rf"(?<!\w)(?:{_either(words.NEEDLESS)})['’\s]\s*{_OLD}", "withdrawn", True),
        (words.UNWANTED, rf"(?<!\w)(?:{_either(words.UNWANTED)})\s+{_OLD}", "withdrawn", False, True),
        (words.DROPPED, rf"{_OLD}\s+(?:{_either(words.DROPPED)})(?!\w)", "withdrawn", True),
    )
)
_SCRIPT_FORMS = [
    *((re.compile(form), "replaced") for form in words.REPLACED_BY_SCRIPT),
    *((re.compile(form), "withdrawn") for form in words.DROPPED_BY_SCRIPT),
]


def changes(text: str, found: tuple[Word, ...], spaceless: bool) -> list[Change]:
    """Every "X, not Y", "instead of Y", "forget Y" of a sentence."""
    said = {word.text for word in found}
    result: list[Change] = []
    for form in _FORMS:
        if form.triggers.isdisjoint(said):
            continue
        match = form.pattern.search(text)
        if match is None or (form.order and not _leads(text, match.start())):
            continue
        groups = match.groupdict()
        new = match.span("new") if (groups.get("new") or "").strip() else None
        if "new" in groups and new is None and match.end() < len(text):
            new = (match.end(), len(text))  # "Instead of tea, coffee"
        if not any(_meet(match.span("old"), one.old) for one in result):
            result.append(Change(form.how, match.span("old"), new, form.sure))
    if spaceless:
        for pattern, kind in _SCRIPT_FORMS:
            if match := pattern.search(text):
                new = match.span("new") if "new" in match.groupdict() else None
                if not any(_meet(match.span("old"), one.old) for one in result):
                    how = "replaced" if kind == "replaced" else "withdrawn"
                    result.append(Change(how, match.span("old"), new, kind == "replaced"))
    return result


def clause(read: Sentence, value: Value) -> Span:
    """The clause that a value is in: from comma to comma, or from "and" to "and"."""
    start, end = 0, len(read.text)
    for match in _CLAUSE.finditer(read.text):
        if match.end() <= value.start:
            start = max(start, match.end())
        elif match.start() >= value.end:
            end = min(end, match.start())
    for word in read.words:
        if word.text in words.AND:
            if word.end <= value.start:
                start = max(start, word.end)
            elif word.start >= value.end:
                end = min(end, word.start)
    return start, end


def _leads(text: str, start: int) -> bool:
    """Whether a place is the beginning of a clause, but for words such as "please"."""
    clause = _CLAUSE.split(text[:start])[-1]
    before = [word.text for word in split(clause)]
    return len(before) <= 4 and words.LEADS.issuperset(before)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _read(text: str) -> Sentence:
    if len(text) > LIMIT:
        return Sentence(text, (), (), (), frozenset(), frozenset(), frozenset(), False)
    found = split(text)
    hits = cues(found)
    known = values(text)
    spaceless = not text.isascii() and bool(_SPACELESS.search(text))
    unspaced = dict(runs(text)) if spaceless else {}
    opens = {cue for cue, at in hits.items() if min(at) < _FIRST} | {c for c, at in unspaced.items() if at < 2}
    return Sentence(
        text,
        found,
        known,
        tuple(changes(text, found, spaceless)),
        frozenset(hits) | frozenset(unspaced),
        frozenset(opens),
        frozenset(_about(text, found, known, hits)),
        spaceless,
    )


def _about(
    text: str, found: tuple[Word, ...], known: tuple[Value, ...], hits: dict[Cue, set[int]]
) -> Iterator[str]:
    """Telling words that are neither value, nor what is counted, nor a cue of correction."""
    cued = set().union(*(hits.get(cue, set()) for cue in ("strong", "weak", "back")))
    units = tuple(frozenset().union(*(value.units for value in known)))
    for index, word in enumerate(found):
        if index in cued or not word.telling:
            continue
        inside = [value for value in known if _meet((word.start, word.end), (value.start, value.end))]
        if _SPACELESS.search(word.text):
            left = text[word.start : word.end]
            for value in inside:
                left = left.replace(text[value.start : value.end], " ")
            yield from words.PARTICLES.sub(" ", _CUE_RUNS.sub(" ", left)).split()
        elif not inside and not (units and word.text.startswith(units)):
            yield word.text


sentence = Memo(_read, size=4096)
"""`Sentence` of a text, remembered by content."""
