"""Which earlier sentences a new one overrules. Latest value wins.

A wrong mark misleads the model, so only two forms count, each naming in its own words what it replaces: a
value set against another ("oat milk, not almond", "oat milk instead of almond milk"), and a figure given
anew ("make it 15 people" after "12 people"). Restatements without such words are left to the model: "Day
3 cost 20" says nothing about day 2.
"""

import re
from collections.abc import Sequence

from acr.ledger.core import Item
from acr.ledger.sentence import sentence
from acr.ledger.strike import Open
from acr.reading.features import Features, features
from acr.text import content, words

_REACH = 2
"""Tokens after the word of replacement in which the value that no longer holds is looked for."""
_ELIDED = re.compile("(?<=^\\w)['’]")
_SET_AGAINST = re.compile(
    r"[,;:—–-]\s*(?:not|nicht|kein\w*|pas|no|não|non|niet|geen|inte|nie|не)\s+(.+)", re.IGNORECASE
)


def replaced(earlier: Sequence[Item], new: Item, task: Open) -> list[int]:
    """Indexes into `earlier` of the items of the open task that `new` overrules."""
    read = sentence(new.text)
    if not (read.changes or "strong" in read.cues):
        return []
    after = features(new.text)
    gone, units = _gone(new.text, after), _units(after) if after.does("restates") else frozenset()
    if not gone and not units:
        return []
    return [
        index
        for index in task.near(part for stem in gone | units for part in _ELIDED.split(stem))
        if (item := earlier[index]).replaced_by is None
        and item.turn != new.turn
        and _overrules(features(item.text), after, gone, units)
    ]


def _overrules(before: Features, after: Features, gone: frozenset[str], units: frozenset[str]) -> bool:
    if gone & before.content and not before.does("negated"):
        return True
    return bool(units & _units(before)) and before.numbers != after.numbers


def _gone(text: str, after: Features) -> frozenset[str]:
    """Stems of what is said to be replaced, in a sentence that also names what replaces it."""
    named: list[str] = []
    for where in after.acts.get("replaces", ()):
        if where >= 0:
            named += after.tokens[where + 1 : where + 2 + _REACH]
    if against := _SET_AGAINST.search(text):
        named += features(against[1]).tokens[:_REACH]
    stems = content(words(named))
    return stems if after.content - stems else frozenset()


def _units(found: Features) -> frozenset[str]:
    """What figures count: the stem after each number token."""
    pairs = zip(found.tokens, found.tokens[1:], strict=False)
    return frozenset(unit for number, word in pairs if number[0].isdigit() for unit in content([word]))
