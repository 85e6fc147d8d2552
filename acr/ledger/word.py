"""The words of a sentence with their places, and phrases among them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from acr.ledger.words import FUNCTION
from acr.text import fold

SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A character of a script that is written without spaces, or whose words carry their particles."""

_WORD = re.compile(r"[^\s,;:!?…。、，！？；：\"“”«»„()\[\]{}<>|·`*]+")
_ELIDED = re.compile(r"[^\W\d_]{1,2}['’](?=\w\w)")
_END = ".'’-–—"

Name = TypeVar("Name")


class Word(NamedTuple):
    """A word where it stands."""

    start: int
    end: int
    text: str
    """Folded."""

    @property
    def telling(self) -> bool:
        """Whether it may name a value."""
        return self.text not in FUNCTION and (self.text[0].isalnum() or any(map(str.isalnum, self.text)))


def split(text: str) -> tuple[Word, ...]:
    """The words of a text with their places; elided articles (`l'`, `d'`) stand alone."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        start, whole = match.start(), match.group()
        if whole[-1] in _END:
            whole = whole.rstrip(_END)
        if "'" in whole or "’" in whole:
            elided = _ELIDED.match(whole)
            if elided:
                found.append(Word(start, start + elided.end() - 1, fold(whole[: elided.end() - 1])))
                start, whole = start + elided.end(), whole[elided.end() :]
        if whole:
            folded = whole.lower() if whole.isascii() else fold(whole).replace("’", "'")
            found.append(Word(start, start + len(whole), folded))
    return tuple(found)


class Phrases(Generic[Name]):
    """Finds phrases of one or more words, in one pass whatever their number."""

    def __init__(self, named: Mapping[Name, Iterable[str]]) -> None:
        self._first: dict[str, list[tuple[tuple[str, ...], Name]]] = {}
        for name, phrases in named.items():
            for phrase in phrases:
                parts = tuple(word.text for word in split(phrase))
                self._first.setdefault(parts[0], []).append((parts, name))
        for held in self._first.values():  # the longest first: "is not needed" before "is not"
            held.sort(key=lambda one: -len(one[0]))

    def find(self, found: Sequence[Word]) -> Iterator[tuple[Name, int, int]]:
        """Name, first word and word after the last of every phrase; of one name the longest at a place."""
        texts = tuple([word.text for word in found])
        for index, text in enumerate(texts):
            held = self._first.get(text)
            if held is None:
                continue
            at_once: list[Name] = []
            for parts, name in held:
                end = index + len(parts)
                if name not in at_once and (len(parts) == 1 or texts[index:end] == parts):
                    at_once.append(name)
                    yield name, index, end
