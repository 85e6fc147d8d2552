"""Values in a sentence: times, days, dates, amounts of money, counts with what they count, numbered things.

What lets two values be of one slot in any language: their kind, and for counts the word counted. Names and
other words are not values here; `acr.ledger.changes` finds those by what the user says of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from acr.ledger import words
from acr.ledger.word import SPACELESS, Word
from acr.text import fold, stem

ValueKind = Literal["time", "day", "date", "money", "count", "numbered", "bare"]
NUMBERS: frozenset[ValueKind] = frozenset({"count", "numbered", "bare"})
"""Kinds of one slot, if what they count or number allows it."""

_NUMBER = r"\d+(?:[.,]\d+)*"
_WORD_START = r"(?<![^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
"""No letter or digit before, but for scripts without spaces."""
_WORD_END = r"(?![^\W_])"
_TIME = (
    r"\d{1,2}(?::|[hH])\d{2}(?!\d)(?:\s?(?:am|pm|Uhr))?"
    rf"|\d{{1,2}}(?:\.\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.|o'clock|Uhr|h){_WORD_END}"
    r"|\d{1,2}(?:点|點|時(?!間)|시(?!간))(?:半|\d{1,2}分?)?"
)
_DATE = (
    rf"\d{{1,2}}(?:\.|st|nd|rd|th)?(?:\s(?:de|of))?\s(?:{'|'.join(words.MONTHS)}){_WORD_END}"
    r"|\d{4}-\d\d-\d\d|\d{1,2}月\d{1,2}[日号]|\d{1,2}월\s?\d{1,2}일"
)
_CURRENCY = "|".join(words.CURRENCIES)
_MONEY = (
    rf"[$€£¥₹₽]\s?{_NUMBER}|{_NUMBER}\s?(?:[$€£¥₹₽]|(?:{_CURRENCY}){_WORD_END})"
    rf"|{_NUMBER}(?:[万千]?[元円]|[만천]?\s?원)"
)
_VALUE = re.compile(
    rf"(?=[\d$€£¥₹₽])(?:(?P<date>{_DATE})|(?P<time>{_TIME})|(?P<money>{_MONEY})|(?P<number>{_WORD_START}{_NUMBER}))",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_SPACELESS_DAY = re.compile(words.SPACELESS_DAYS)
_AFTER = re.compile(r"[ \u00a0]?-?([^\W\d_][\w'’]*|%)")
_BEFORE = re.compile(r"([^\W\d_][^\W_]*)[ \u00a0]?(?:#|№|no\. )?$")
_LABEL = re.compile(r"[^\W\d_][\w'’]*")
_AMOUNT = re.compile(r"[\d.,万千만천]")
_DAYS = frozenset(map(fold, words.DAYS))
_MONTHS = frozenset(map(fold, words.MONTHS))
_COUNTERS = "个"
_REACH = 40
"""Characters in front of a number in which the word that names it is looked for."""
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Value:
    """A value where it stands in a sentence."""

    start: int
    end: int
    kind: ValueKind
    units: frozenset[str]
    """Stems of the words counted, numbered or named in front; empty for the other kinds."""
    key: str
    """What is compared: folded, without spaces."""


def values(text: str, found: Sequence[Word], spaceless: bool) -> tuple[Value, ...]:
    """The values of one sentence whose words are `found`, from left to right."""
    result = list(_named(text, found, spaceless))
    if _DIGIT.search(text):
        taken = [(value.start, value.end) for value in result]
        result += [
            _value(match, text)
            for match in _VALUE.finditer(text)
            if not any(match.start() < end and start < match.end() for start, end in taken)
        ]
        result.sort(key=lambda value: value.start)
    return tuple(result)


def _named(text: str, found: Sequence[Word], spaceless: bool) -> Iterator[Value]:
    """Values that begin with a word: days, dates, numbers as words."""
    for index, word in enumerate(found):
        if word.text in _DAYS:
            yield Value(word.start, word.end, "day", _NONE, word.text)
        elif word.text in words.CLOCK:
            yield Value(word.start, word.end, "time", _NONE, word.text)
        elif word.text in words.COUNTS:
            if counted := _counted(text, word.end):
                yield Value(word.start, word.end, "count", counted, word.text)
        elif word.text in _MONTHS and index + 1 < len(found):
            day = found[index + 1]
            if day.text.isdecimal() and len(day.text) <= 2 and day.start == word.end + 1:
                yield Value(word.start, day.end, "date", _NONE, word.text + day.text)
    if spaceless:
        for match in _SPACELESS_DAY.finditer(text):
            yield Value(*match.span(), "day", _NONE, match.group())


def _value(match: re.Match[str], text: str) -> Value:
    start, end = match.span()
    group = match.lastgroup
    key = fold(match.group()).replace(" ", "")
    if group == "money":
        return Value(start, end, "money", _NONE, "".join(_AMOUNT.findall(key)))
    if group != "number":
        return Value(start, end, "date" if group == "date" else "time", _NONE, key)
    counted = _counted(text, end)
    if counted:
        return Value(start, end, "count", counted, key)
    before = text[max(0, start - _REACH) : start]
    numbered = _BEFORE.search(before)
    if numbered and fold(numbered[1]) not in words.FUNCTION:
        return Value(start, end, "numbered", frozenset({stem(fold(numbered[1]))}), key)
    named = [word for word in map(fold, _LABEL.findall(before)[-3:]) if word not in words.FUNCTION]
    return Value(start, end, "bare", frozenset(map(stem, named[-1:])), key)


def _counted(text: str, end: int) -> frozenset[str]:
    """Stems of the one or two words after a number."""
    found: set[str] = set()
    for _ in range(2):
        after = _AFTER.match(text, end)
        if after is None:
            break
        word, end = fold(after[1]), after.end()
        if SPACELESS.match(word):
            found.add(word[1] if word[0] in _COUNTERS and len(word) > 1 else word[0])
            break
        if word in words.FUNCTION:
            break
        found.add(stem(word))
    return frozenset(found)
