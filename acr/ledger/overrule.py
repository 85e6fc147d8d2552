"""Which parts of earlier sentences no longer hold. Latest value wins; what is ambiguous stays.

Three ways, from sure to less sure:

1. The sentence says what it overrules: "oat milk, not almond", "instead of", "forget the parking". The words
   that it names are looked for in earlier sentences of the task.
2. It has a word of correction and a value ("make it 5 people", "Lieber um 20 Uhr"): the one current value of
   the same slot goes. Two different ones: nothing goes.
3. It says a value anew in the same words ("Budget is 500." after "Budget is 300.") and nothing else.

What was overruled comes back when a sentence with a word of return names it ("we do need parking after all");
what had taken its place goes then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from acr.ledger.changes import Change, Span
from acr.ledger.core import Gone, How, Item
from acr.ledger.match import alike, meet, place
from acr.ledger.sentence import Sentence, clause, sentence
from acr.ledger.values import NUMBERS, Value
from acr.ledger.words import INDEFINITE
from acr.text import fold

WINDOW = 200
"""Items looked back at, so that a correction costs the same however long the dialogue is."""
_SLOTS = 48
"""Current values of one kind that are remembered."""


@dataclass(frozen=True, slots=True)
class Strike:
    """A part of an item that something else took the place of."""

    item: int
    span: Span
    by: int
    new: Span | None
    how: How


@dataclass(slots=True)
class Open:
    """What is needed of the open task to see what a new sentence overrules."""

    first: int = 0
    """Index of its first item."""
    values: dict[str, list[tuple[int, Value]]] = field(default_factory=dict)
    """Current values with the index of their item, by kind, oldest first; numbers of any kind together."""
    strikes: list[Strike] = field(default_factory=list)

    def copy(self) -> "Open":
        return Open(self.first, {kind: list(held) for kind, held in self.values.items()}, list(self.strikes))


def overrule(items: list[Item], new: Item, task: Open, *, reply: bool) -> tuple[Item, bool]:
    """Strike in `items` what `new` overrules. Returns `new` without what it names only to overrule it, and
    whether it overruled anything.

    `reply`: it answers a question of the assistant, so a bare value may fill another slot.
    """
    read = sentence(new.text)
    strikes: list[Strike] = []
    own: list[tuple[Span, How]] = []
    for change in read.changes:
        found = list(_named(items, read, change, new.turn, task))
        strikes += found
        if found if change.how == "withdrawn" else (found or change.sure):
            own.append((change.old, change.how))
    if "back" in read.cues:
        strikes += _returned(items, read, own, task)
    if read.values and not (strikes and "back" not in read.cues):
        strikes += _again(items, read, own, task, reply=reply)
    for strike in strikes:
        items[strike.item] = cut(items[strike.item], strike.span, strike.how, new)
        _forget(task, items[strike.item], strike.item)
    task.strikes += strikes
    del task.strikes[:-WINDOW]
    for span, how in own:
        new = cut(new, span, how, new)
    for value in read.values:
        if not any(meet((value.start, value.end), span) for span, _ in own):
            held = task.values.setdefault(_slot(value), [])
            held.append((len(items), value))
            del held[:-_SLOTS]
    return new, bool(strikes)


def cut(item: Item, span: Span, how: How, by: Item) -> Item:
    """The item with a part struck; what it meets that is struck already becomes one part with it."""
    apart = [gone for gone in item.gone if not meet((gone.start, gone.end), span)]
    met = [gone for gone in item.gone if gone not in apart]
    start, end = min([span[0], *(g.start for g in met)]), max([span[1], *(g.end for g in met)])
    return replace(
        item,
        gone=tuple(sorted((*apart, Gone(start, end, how, by.turn, by.text)), key=lambda gone: gone.start)),
    )


def _back(item: Item, span: Span) -> Item:
    """The item with a struck part holding again."""
    return replace(item, gone=tuple(gone for gone in item.gone if not meet((gone.start, gone.end), span)))


def _named(items: Sequence[Item], read: Sentence, change: Change, turn: str, task: Open) -> Iterator[Strike]:
    """Earlier places of what the sentence says is overruled, as far as they hold."""
    for at in range(max(task.first, len(items) - WINDOW), len(items)):
        item = items[at]
        if item.turn == turn:
            continue
        before = sentence(item.text)
        span = place(read, change, before)
        if span and not _struck(item, span):
            if change.how == "withdrawn":
                span = _counted(before, span)
            yield Strike(at, span, len(items), _fresh(read, change, before), change.how)


def _counted(before: Sentence, span: Span) -> Span:
    """A place together with the value that counts or measures what stands there."""
    for value in before.values:
        near = value.end <= span[0] and not before.text[value.end : span[0]].strip()
        named = any(alike(unit, word.text) for unit in value.units for word in before.within(span))
        if near or (value.kind == "bare" and named):
            return min(value.start, span[0]), max(value.end, span[1])
    return span


def _fresh(read: Sentence, change: Change, before: Sentence) -> Span | None:
    """The words of the new value: those of the new side that the old sentence does not have."""
    if change.new is None:
        return None
    known = {word.text for word in before.words}
    found = [word for word in read.within(change.new) if word.text not in known]
    return (found[0].start, found[-1].end) if found else None


def _returned(items: list[Item], read: Sentence, own: list[tuple[Span, How]], task: Open) -> Iterator[Strike]:
    """Let what the sentence names hold again; what had taken its place goes."""
    for strike in reversed(list(task.strikes)):
        item = items[strike.item]
        if not _mentions(read, item, strike.span, own):
            continue
        task.strikes.remove(strike)
        items[strike.item] = _back(item, strike.span)
        if strike.new and not _struck(items[strike.by], strike.new):
            yield Strike(strike.by, strike.new, len(items), None, "reinstated")


def _mentions(read: Sentence, item: Item, span: Span, own: list[tuple[Span, How]]) -> bool:
    """Whether a sentence names again what was struck there, other than to overrule it."""
    if read.spaceless:
        gone = item.text[span[0] : span[1]]
        at = read.text.find(gone)
        return at >= 0 and not any(meet((at, at + len(gone)), taken) for taken, _ in own)
    wanted = sentence(item.text).within(span)
    said = [word for word in read.words if not any(meet((word.start, word.end), taken) for taken, _ in own)]
    return bool(wanted) and all(any(alike(word.text, one.text) for word in said) for one in wanted)


def _again(
    items: Sequence[Item], read: Sentence, own: list[tuple[Span, How]], task: Open, *, reply: bool
) -> Iterator[Strike]:
    """Current values of slots that the sentence fills anew."""
    strong, weak = "strong" in read.cues, bool(read.cues & {"weak", "back"})
    if not strong and ("more" in read.cues or len(read.values) > 1):
        return
    for value in read.values:
        if any(meet((value.start, value.end), span) for span, _ in own):
            continue
        held = [
            (at, old)
            for at, old in task.values.get(_slot(value), ())
            if old.key != value.key
            and _same_slot(value, old, cued=strong or weak, plain=strong or not read.rest)
        ]
        if not strong:
            held = [(at, old) for at, old in held if _fits(read, items[at], old, cued=weak)]
        if len({old.key for _, old in held}) > 1:
            held = [(at, old) for at, old in held if _shares(read, items[at], old)]
        if len({old.key for _, old in held}) != 1:
            continue
        if strong or weak or not (reply or _alone(read, value)):
            for at, old in held:
                yield Strike(at, (old.start, old.end), len(items), (value.start, value.end), "restated")


def _alone(read: Sentence, value: Value) -> bool:
    """Whether nothing tells which slot a value fills, or that it is not one more."""
    before = [word.text for word in read.words if word.end <= value.start]
    if before and before[-1] in INDEFINITE:
        return True
    return not read.rest and value.kind not in ("count", "numbered")


def _fits(read: Sentence, item: Item, old: Value, *, cued: bool) -> bool:
    """Whether a sentence that does not say so clearly is about the slot of an earlier value."""
    if not read.rest:
        return True
    before = sentence(item.text)
    start, end = clause(before, old)
    foreign = {word for word in read.rest if not _says(before, word, start, end)}
    if foreign:
        return (
            cued and bool(old.units) and len(foreign) == 1 < len(read.rest) and not _named_any(read, foreign)
        )
    return cued or {word for word in before.rest if _says(before, word, start, end)} <= read.rest


def _named_any(read: Sentence, found: set[str]) -> bool:
    """Whether one of these words of a sentence is a name, as far as a capital tells."""
    return any(word.text in found and not read.text[word.start].islower() for word in read.words)


def _shares(read: Sentence, item: Item, old: Value) -> bool:
    """Whether the clause of an earlier value is about something that the sentence is about."""
    before = sentence(item.text)
    return any(_says(before, word, *clause(before, old)) for word in read.rest)


def _says(before: Sentence, word: str, start: int, end: int) -> bool:
    """Whether a part of a sentence has that word."""
    if before.spaceless:
        return word in fold(before.text[start:end])
    return any(start <= one.start < end and one.text == word for one in before.words)


def _same_slot(new: Value, old: Value, *, cued: bool, plain: bool) -> bool:
    """`cued`: the sentence has a word of correction; `plain`: it says little else."""
    if new.kind not in NUMBERS:
        return new.kind == old.kind
    if cued:
        return bool(new.units & old.units) or (plain and "bare" in (new.kind, old.kind))
    return bool(new.units) and new.units <= old.units


def _slot(value: Value) -> str:
    return "number" if value.kind in NUMBERS else value.kind


def _struck(item: Item, span: Span) -> bool:
    return any(meet(span, (gone.start, gone.end)) for gone in item.gone)


def _forget(task: Open, item: Item, index: int) -> None:
    """Values of an item that no longer hold are no longer current."""
    for kind, held in task.values.items():
        task.values[kind] = [
            (at, value) for at, value in held if at != index or not _struck(item, (value.start, value.end))
        ]
