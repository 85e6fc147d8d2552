"""The user picks one of the options that the assistant named: "the second one", "no, the other one"."""

import re

from acr import text as t
from acr.ledger import words
from acr.ledger.sentence import sentence
from acr.ledger.word import split

_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(\S.*?)\s*$", re.MULTILINE)
_OR = re.compile(rf"\s+(?:{'|'.join(words.OR)})\s+|还是|或者|または|それとも|아니면")
_MOST = 12
"""Options of one turn; a longer list is no offer."""
_LONGEST = 200
"""Characters of an option."""
_BRIEF = 8
"""Words of a turn that only picks."""
_OTHER, _LAST = -2, -1


def options(text: str, last: tuple[str, ...]) -> tuple[str, ...]:
    """What a text offers, verbatim: its list items, or the sides of "or" in a question among its `last`
    sentences. Empty where it offers nothing, or too much.
    """
    items = _ITEM.findall(text[-_MOST * _LONGEST :])
    if not items:
        asked = next((part for part in reversed(last) if t.asks(part) and _OR.search(part)), "")
        items = [part.strip(" ?？") for part in _OR.split(asked[:_LONGEST])] if asked else []
    found = tuple(item[:_LONGEST] for item in items if item)
    return found if 2 <= len(found) <= _MOST else ()


def picked(text: str, count: int, before: int | None) -> int | None:
    """Which of `count` options a user turn picks, from 0; `before` is the one picked until now. None where it
    picks none, or says more than that.
    """
    read = sentence(text)
    if not read.words or len(read.words) > _BRIEF or "strong" in read.cues or t.asks(text):
        return None
    index: int | None = None
    if read.spaceless:
        run = next((run for run in words.SPACELESS_ORDINALS if run in text), "")
        if not run or words.SPACELESS_PICKS.sub("", text.replace(run, "", 1)):
            return None
        index = words.SPACELESS_ORDINALS[run]
    else:
        for word in split(text):
            if word.text in words.ORDINALS:
                index = words.ORDINALS[word.text]
            elif word.telling and word.text not in words.PICKS:
                return None
    if index == _OTHER:
        return 1 - before if count == 2 and before is not None else None
    if index == _LAST:
        index = count - 1
    return index if index is not None and index < count else None
