"""Where an earlier sentence has what a later one names."""

from collections.abc import Callable

from acr.ledger.changes import Change, Span
from acr.ledger.sentence import Sentence
from acr.ledger.values import NUMBERS, Value
from acr.ledger.word import Word

_PREFIX = 4
"""Characters that inflected forms of one word share at least."""
_SHARE = 0.6
_STEM = 3
_GAP = 2
"""Words that say nothing that may stand between two that match ("Blick auf den Fluss")."""
_RUN = 2
"""Characters of a match in scripts without spaces."""


def place(later: Sentence, change: Change, earlier: Sentence) -> Span | None:
    """Where `earlier` has what `later` says is overruled: a value, or words of which at least half are there,
    the first among them. None where it has not.
    """
    old, new = change.old, change.new
    named = [value for value in later.values if old[0] <= value.start and value.end <= old[1]]
    if named:
        units = named[0].units.union(*(value.units for value in later.values if new and within(value, new)))
        return _value(named[0], units, earlier)
    wanted = later.within(old)
    if later.spaceless:
        return _run(later.text[old[0] : old[1]].strip(), earlier.text)
    same = alike if change.sure or change.how == "withdrawn" else _equal
    return _words(wanted, earlier.words, same) if wanted else None


def within(value: Value | Word, span: Span) -> bool:
    return span[0] <= value.start and value.end <= span[1]


def meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def alike(one: str, other: str) -> bool:
    """Whether two folded words are forms of one word. Crude: a common beginning."""
    if one == other:
        return True
    short, long = sorted((one.removeprefix("ال"), other.removeprefix("ال")), key=len)
    if len(short) < _PREFIX:
        longer = 1 if short.isascii() else 2
        return len(short) > 1 and long.startswith(short) and len(long) - len(short) <= longer
    shared = max(_PREFIX, round(_SHARE * len(short)))
    return short[:shared] == long[:shared] and len(long) - len(short) <= _PREFIX


def _counts(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two numbers may count the same, where one is named to overrule the other."""
    return any(one[:_STEM] == other[:_STEM] for one in some for other in others)


def _equal(one: str, other: str) -> bool:
    """The same word, or one that goes on a little: "almond" and "almonds", not "drains" and "drained"."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and len(long) - len(short) <= (1 if len(short) < _PREFIX else 2)


def _value(wanted: Value, units: frozenset[str], earlier: Sentence) -> Span | None:
    for value in earlier.values:
        number = wanted.kind in NUMBERS and value.kind in NUMBERS
        if value.key != wanted.key or not (number or value.kind == wanted.kind):
            continue
        if not number or not units or not value.units or _counts(units, value.units):
            return value.start, value.end
    return None


def _words(wanted: list[Word], said: tuple[Word, ...], same: Callable[[str, str], bool]) -> Span | None:
    for first, word in enumerate(said):
        if not (word.telling and same(word.text, wanted[0].text)):
            continue
        end, count, at = word.end, 1, first + 1
        for other in wanted[1:]:
            step = next(
                (k for k in range(at, min(at + _GAP + 1, len(said))) if same(said[k].text, other.text)), None
            )
            if step is None:
                break
            end, count, at = said[step].end, count + 1, step + 1
        if 2 * count >= len(wanted):
            return word.start, end
    return None


def _run(wanted: str, text: str) -> Span | None:
    """The longest part of `wanted` that is in `text`; at least half of it, and two characters."""
    wanted = wanted[:20]
    least = max(min(_RUN, len(wanted)), (len(wanted) + 1) // 2)
    for size in range(len(wanted), least - 1, -1):
        for start in range(len(wanted) - size + 1):
            part = wanted[start : start + size]
            at = text.find(part)
            if at >= 0 and part.strip() == part:
                return at, at + size
    return None
