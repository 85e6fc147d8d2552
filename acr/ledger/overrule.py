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
from dataclasses import replace

from acr.ledger.again import again, renamed
from acr.ledger.changes import Change, Span
from acr.ledger.core import Gone, How, Item
from acr.ledger.match import alike, meet, place
from acr.ledger.sentence import Sentence, sentence
from acr.ledger.strike import Open, Strike, struck
from acr.text import fold

_STRIKES = 100
"""Strikes of a task that are remembered, for what may come back."""


def overrule(items: list[Item], new: Item, task: Open, *, reply: bool) -> tuple[Item, bool]:
    """Strike in `items` what `new` overrules. Returns `new` without what it names only to overrule it, and
    whether it corrects: overrules something other than by a prohibition.

    `reply`: it answers a question of the assistant, so a bare value may fill another slot.
    """
    read = sentence(new.text)
    strikes: list[Strike] = []
    own: list[tuple[Span, How]] = []
    corrects = False
    for change in read.changes:
        found = list(_named(items, read, change, new.turn, task))
        strikes += found
        replaces = change.how == "replaced"
        if (replaces and change.sure) or (found and (replaces or change.sure)):
            own.append((change.old, change.how))
        corrects = corrects or bool(found and (replaces or change.sure))
    if "back" in read.cues:
        strikes += _returned(items, read, own, task)
    if read.values and not (strikes and "back" not in read.cues):
        strikes += again(items, read, own, task, reply=reply)
    if not (strikes or read.values or read.changes):
        strikes += renamed(items, read, new.turn, task)
    for strike in strikes:
        items[strike.item] = cut(items[strike.item], strike.span, strike.how, new)
        task.forget(strike.item, items[strike.item])
    task.strikes += strikes
    del task.strikes[:-_STRIKES]
    for span, how in own:
        new = cut(new, span, how, new)
    for value in read.values:
        if not any(meet((value.start, value.end), span) for span, _ in own):
            task.add(len(items), value)
    task.index(len(items), read)
    return new, corrects or any(strike.how in ("restated", "reinstated") for strike in strikes)


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
    for at in _candidates(read, change, task):
        item = items[at]
        if item.turn == turn:
            continue
        before = sentence(item.text)
        span = place(read, change, before)
        if span and not struck(item, span):
            if change.how == "withdrawn":
                span = _whole(before, _counted(before, span))
            yield Strike(at, span, len(items), _fresh(read, change, before), change.how)


def _candidates(read: Sentence, change: Change, task: Open) -> list[int]:
    """Items that may have what a change names."""
    start, end = change.old
    value = next((one for one in read.values if start <= one.start and one.end <= end), None)
    if value is not None:
        return task.valued(value.key)
    if read.spaceless:
        named = fold(read.text[start:end].strip())
        return task.near([named, *named])
    words = read.within(change.old)
    return task.near([words[0].text]) if words else []


def _counted(before: Sentence, span: Span) -> Span:
    """A place together with the value that counts or measures what stands there."""
    for value in before.values:
        near = value.end <= span[0] and not before.text[value.end : span[0]].strip()
        named = any(alike(unit, word.text) for unit in value.units for word in before.within(span))
        if near or (value.kind == "bare" and named):
            return min(value.start, span[0]), max(value.end, span[1])
    return span


def _whole(before: Sentence, span: Span) -> Span:
    """The whole sentence, if it is about nothing but what stands there."""
    about = {word.text for word in before.within(span)}
    return (0, len(before.text)) if before.rest and before.rest <= about else span


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
        if strike.new and not struck(items[strike.by], strike.new):
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
