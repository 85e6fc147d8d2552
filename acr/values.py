"""Values that the user has overruled, and the sentences that go on repeating them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from acr.ledger import Item, Ledger
from acr.reading.features import features
from acr.text import fold

_NEXT = re.compile(r"\s+([^\W_]+)")
_MOST = 32
"""Overruled sentences that are looked at, the newest, so that work grows with the dialogue and not faster."""
_SHORT = 4
"""Characters: a single word shorter than this says too little to be recognised elsewhere."""


@dataclass(frozen=True, slots=True)
class Overruled:
    """A value with the word after it ("12 people"), folded, and the sentence of the user that replaced it."""

    phrase: str
    by: str
    new: frozenset[str]
    """Folded tokens that only the replacing sentence has. A sentence with one of them knows the new value."""

    def repeated(self, sentence: str) -> bool:
        """Whether a sentence states the value and not the one that replaced it."""
        return within(self.phrase, fold(sentence)) and self.new.isdisjoint(features(sentence).tokens)


def overruled(ledger: Ledger) -> list[Overruled]:
    """Values of the open task that no longer hold and that no sentence of the user still uses."""
    items = [item for item in ledger.items if item.task == ledger.task]
    found = []
    for item in [item for item in items if item.gone][-_MOST:]:
        for gone in item.gone[-_MOST:]:
            phrase = _phrase(item.text, gone.start, gone.end)
            if gone.how in ("replaced", "restated") and phrase and not _still_said(phrase, items, gone.by):
                old, by = set(features(item.text).tokens), features(gone.by)
                named = set(fold(item.text[gone.start : gone.end]).split())
                new = frozenset(token for token in by.tokens if token not in old | named and _telling(token))
                found.append(Overruled(phrase, gone.by, new))
    return found


def _telling(token: str) -> bool:
    return token[0].isdigit() or len(token) > 2 or not token.isascii()


def _phrase(text: str, start: int, end: int) -> str:
    """The value and the word after it; empty where that would say too little."""
    value = fold(text[start:end]).strip()
    after = _NEXT.match(text, end)
    if after:
        return f"{value} {fold(after[1])}"
    return value if len(value) >= _SHORT and not value.isdigit() else ""


def _still_said(phrase: str, items: Sequence[Item], by: str) -> bool:
    """Whether a sentence that holds has the value, the one that replaces it left aside."""
    return any(within(phrase, fold(part)) for item in items if item.text != by for part in item.parts)


def within(phrase: str, text: str) -> bool:
    """Whether the phrase stands in the text, not as a part of longer words. Both folded."""
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not (_joins(text, at) or _joins(text, end)):
            return True
        at = text.find(phrase, at + 1)
    return False


def _joins(text: str, at: int) -> bool:
    """Whether a word of a script with spaces goes on across this place."""
    pair = text[max(0, at - 1) : at + 1]
    return at > 0 and len(pair) == 2 and pair.isalnum() and all(ord(sign) < 0x0E00 for sign in pair)
