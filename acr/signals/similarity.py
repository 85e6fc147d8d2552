"""How alike turns are by embedding, where an embedding is given. Off by default.

`Embed` is any function from a text to a vector. `hashed` needs no model and no library: it counts runs of
characters, so it knows spelling and no meaning ("cheap" and "inexpensive" have nothing in common for it). A
static model in its place, `StaticModel.encode` of model2vec say, knows more.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from zlib import crc32

from acr.memo import Memo
from acr.signals.core import Signal
from acr.signals.seen import Seen
from acr.text import fold

Embed = Callable[[str], Sequence[float]]
NAMES = ("drift", "newest_to_answer")
DIMENSIONS = 256
_LIMIT = 4000
"""Characters that are read."""


def signals(seen: Seen, embed: Embed) -> Iterator[tuple[str, Signal]]:
    """`drift`: 1 minus the cosine of the task's opening and its newest turn. `newest_to_answer`: the cosine
    of the newest turn and the last answer.
    """
    if seen.newest is None:
        return
    opening, newest = seen.task.users[0].turn, seen.newest.turn
    vector = embed(seen.newest.fresh or newest.text)
    yield "drift", Signal(round(1 - cosine(embed(opening.text), vector), 3), (opening.id, newest.id))
    if seen.task.answers:
        last = seen.task.answers[-1].turn
        yield "newest_to_answer", Signal(round(cosine(embed(last.text), vector), 3), (last.id, newest.id))


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """In [-1, 1]; 0 where a vector is zero."""
    norms = math.sqrt(sum(x * x for x in one)) * math.sqrt(sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / norms if norms else 0.0


def _hashed(text: str) -> tuple[float, ...]:
    counts = [0.0] * DIMENSIONS
    padded = f" {' '.join(fold(text[:_LIMIT]).split())} ".encode("utf-8", "surrogatepass")
    for size in (3, 4, 5):
        for start in range(len(padded) - size + 1):
            code = crc32(padded[start : start + size])
            counts[code % DIMENSIONS] += 1.0 if code & 0x8000_0000 else -1.0
    return tuple(counts)


hashed = Memo(_hashed, 512)
"""Signed counts of byte runs of 3 to 5, hashed into 256 dimensions; remembered by content."""
