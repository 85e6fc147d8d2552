"""What a sentence says, in its own words, no longer holds: "X, not Y", "instead of Y", "forget Y"."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from acr.ledger import words
from acr.ledger.word import Phrases, Word, split

Span = tuple[int, int]

_CLAUSE = re.compile(r"(?:(?<!\d)[,:]|[,:](?!\d)|[;!?，、；：。…\n–—])+\s*|(?<!\d)\.(?=\s|$)\s*| - ")
_LONGEST = 80
"""Characters of what is named."""
_SHORT = 40
"""Characters: what follows a "no" that takes back a value is about that short."""
_LEADS = 4
"""Words that may stand in front of an order in its clause."""

_Form = Literal["instead", "in_place", "change", "drop", "needless", "unwanted", "dropped", "not"]
_FORMS: Phrases[_Form] = Phrases(
    {
        "instead": words.INSTEAD,
        "in_place": words.IN_PLACE,
        "change": words.CHANGES,
        "drop": words.DROP,
        "needless": words.NEEDLESS,
        "unwanted": words.UNWANTED,
        "dropped": words.DROPPED,
        "not": [*words.NOT, "नहीं"],
    }
)
_ORDERS = frozenset(split(phrase)[0].text for phrase in words.DROP)
_SCRIPT = [
    *((re.compile(form), True) for form in words.REPLACED_BY_SCRIPT),
    *((re.compile(form), False) for form in words.DROPPED_BY_SCRIPT),
]


class Change(NamedTuple):
    """One thing that a sentence says is overruled."""

    how: Literal["replaced", "withdrawn"]
    old: Span
    new: Span | None
    sure: bool
    """The words allow no other reading, whether or not the old value is found: "instead of", "forget"."""


def changes(text: str, found: Sequence[Word], spaceless: bool) -> tuple[Change, ...]:
    """Every change that a sentence names, surest form first where two name the same words."""
    result: list[Change] = []
    every = list(_spaced(text, found))
    if spaceless:
        every += _unspaced(text)
    for change in sorted(every, key=lambda one: not one.sure):
        named = text[slice(*change.old)].strip()
        if named and not any(change.old[0] < one.old[1] and one.old[0] < change.old[1] for one in result):
            result.append(change)
    return tuple(result)


def clause(text: str, start: int, end: int) -> Span:
    """The clause around a place, from one mark of punctuation to the next."""
    first, last = 0, len(text)
    for match in _CLAUSE.finditer(text):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.start()
            break
    return first, last


def _spaced(text: str, found: Sequence[Word]) -> Iterator[Change]:
    for form, first, after in _FORMS.find(found):
        start, end = found[first].start, found[after - 1].end
        begin, stop = clause(text, start, end)
        ahead, behind = (end, min(stop, end + _LONGEST)), (max(begin, start - _LONGEST), start)
        if form == "instead":  # "Instead of tea, coffee"
            yield Change("replaced", ahead, (0, start) if text[:start].strip() else (stop, len(text)), True)
        elif form == "in_place":
            yield Change("replaced", behind, (end, len(text)), True)
        elif form == "dropped":
            yield Change("withdrawn", behind, None, True)
        elif form == "needless":
            yield Change("withdrawn", ahead, None, True)
        elif form == "not":
            yield from _not(text, found, first, begin, stop)
        elif form == "unwanted" and (begin or stop - end > _SHORT or _ordered(found, after)):
            continue
        elif _leads(text[begin:start]):
            if form == "change":
                yield from _into(found, after, stop)
            else:
                yield Change("withdrawn", ahead, None, form == "drop")


def _not(text: str, found: Sequence[Word], at: int, begin: int, stop: int) -> Iterator[Change]:
    """What a negation is set against: behind a comma, or in front of a "but"."""
    word = found[at]
    if word.text == "नहीं":
        if begin:
            yield Change("replaced", (begin, word.start), (0, begin), True)
        return
    if begin and all(one.text in words.JOINS for one in found[:at] if one.start >= begin):
        yield Change("replaced", (word.end, min(stop, word.end + _LONGEST)), (0, begin), False)
    for one in found[at + 1 :]:
        if one.start - word.end > _LONGEST:
            break
        if one.text in words.BUT:
            yield Change("replaced", (word.end, one.start), (one.end, len(text)), True)
            break


def _into(found: Sequence[Word], at: int, stop: int) -> Iterator[Change]:
    """An order that names both: "change X to Y"."""
    for one in found[at + 1 :]:
        if one.start >= stop:
            break
        if one.text in words.INTO:
            yield Change("replaced", (found[at].start, one.start), (one.end, stop), True)
            break


def _ordered(found: Sequence[Word], at: int) -> bool:
    """Whether an order to drop something follows: "don't forget" drops nothing."""
    return at < len(found) and found[at].text in _ORDERS


def _leads(before: str) -> bool:
    """Whether nothing stands in front of an order but words such as "please"."""
    said = [word.text for word in split(before)]
    return len(said) <= _LEADS and words.LEADS.issuperset(said)


def _unspaced(text: str) -> Iterator[Change]:
    for pattern, replaced in _SCRIPT:
        if match := pattern.search(text):
            new = match.span("new") if replaced else None
            sure = replaced or not match.group().startswith("不要")  # "不要辣" may be a prohibition
            yield Change("replaced" if replaced else "withdrawn", match.span("old"), new, sure)
