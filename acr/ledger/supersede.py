"""Which earlier sentences a new one overrules. Latest value wins.

Three forms, each needing evidence in the words themselves, since a wrong mark would mislead the model:
a value named as the one that no longer holds ("oat milk, not almond"); a figure changed after a word of
correction ("actually, make it 15 people"); and a bare restatement with another figure ("Budget is 500."
after "Budget is 300.").
"""

from collections.abc import Sequence

from acr.ledger.core import Item
from acr.reading.features import Features, features
from acr.text import content, words

_REACH = 3
"""Tokens after a negation in which the value that no longer holds is looked for."""
_WINDOW = 200
"""Items looked back at, so that a correction costs the same however long the dialogue is."""


def replaced(earlier: Sequence[Item], new: Item) -> list[int]:
    """Indexes into `earlier` of the items that `new` overrules."""
    if new.kind not in ("correction", "requirement", "reply"):
        return []
    after = features(new.text)
    negated = _negated(after) if after.does("negated") else frozenset()
    first = max(0, len(earlier) - _WINDOW)
    return [
        first + index
        for index, item in enumerate(earlier[first:])
        if item.holds and item.turn != new.turn and _overrules(features(item.text), after, negated)
    ]


def _overrules(before: Features, after: Features, negated: frozenset[str]) -> bool:
    if negated & before.content and not before.does("negated"):
        return True
    if not before.numbers or not after.numbers or before.numbers == after.numbers:
        return False
    if after.does("correction") and _units(before) & _units(after):
        return True
    return bool(before.content) and before.content == after.content


def _negated(after: Features) -> frozenset[str]:
    """Stems said not to hold: the words right after a negation, in a sentence that also names what does."""
    named: set[str] = set()
    for where in after.acts.get("negated", ()):
        if where >= 0:
            named.update(after.tokens[where + 1 : where + 1 + _REACH])
    stems = content(words(named))
    rest = after.content - stems
    return stems if rest and after.does("correction") else frozenset()


def _units(found: Features) -> set[str]:
    """What figures count: the stem after each number token."""
    pairs = zip(found.tokens, found.tokens[1:], strict=False)
    return {unit for number, word in pairs if number[0].isdigit() for unit in content([word])}
