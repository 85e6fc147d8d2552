"""What can be said of shards without a model: is every number, name and negation of the instruction in them,
and nothing that is not in it? Does the first one say what is wanted?

Words are matched, not meanings: "a dozen" for "12" is told as a missing number. So a person decides.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from acr import text as t
from acr.reading.features import features
from acr_benchmarks.soundness import numbers

FEWEST = 3
"""Shards below which an instruction is dropped, as in the paper."""
POSSESSIVE = re.compile(r"['’]s\b")
NEGATIONS = frozenset(
    "except excluding least most neither never no nobody none nor not nothing only unless without".split()
)


def faults(instruction: str, shards: Sequence[str]) -> Iterator[str]:
    """What is wrong with the shards of an instruction, in plain words."""
    if len(shards) < FEWEST:
        yield f"{len(shards)} pieces, fewer than {FEWEST}"
    whole = "\n".join(shards)
    yield from counted("number", Counter(numbers(instruction)), Counter(numbers(whole)))
    said, told = (POSSESSIVE.sub("", text) for text in (whole, instruction))
    for name in sorted(features(told).names - set(t.tokens(said))):
        yield f"name {name!r} is missing from the pieces"
    for name in sorted(features(said).names - set(t.tokens(told))):
        yield f"name {name!r} is not in the instruction"
    yield from counted("negation", negations(instruction), negations(whole))
    if shards and not wanted(instruction, shards[0]):
        yield "the first piece does not say what is wanted"
    if shards and whole_in(instruction, shards[0]):
        yield "the first piece says everything"


def counted(kind: str, before: Counter[str], after: Counter[str]) -> Iterator[str]:
    """What is said less often than in the instruction, or not said in it at all."""
    for one, times in sorted(before.items()):
        if after[one] < times:
            yield f"{kind} {one!r} is missing from the pieces" + (
                f" ({after[one]} of {times})" if after[one] else ""
            )
    for one in sorted(after.keys() - before.keys()):
        yield f"{kind} {one!r} is not in the instruction"


def negations(text: str) -> Counter[str]:
    """Words that turn a statement round or limit it; every contraction with "not" counts as "not"."""
    found: Counter[str] = Counter()
    for token in t.tokens(text.replace("’", "'").replace("n't", " not").replace("cannot", "can not")):
        if token in NEGATIONS:
            found[token] += 1
    return found


def wanted(instruction: str, first: str) -> bool:
    """Whether a piece says what the instruction is after. Where that asks, the piece asks too or has more
    than half of the question's content words; a request has no such form, so one content word is enough.
    """
    asking = [sentence for sentence in t.sentences(instruction) if t.asks(sentence)]
    said = features(first).content
    if not asking:
        return bool(said & features(instruction).content)
    question = features(asking[-1]).content
    shared = said & question
    return bool(shared) and (t.asks(first) or 2 * len(shared) > len(question))


def whole_in(instruction: str, first: str) -> bool:
    """Whether a piece has all of the instruction's numbers, where there are several."""
    every = set(numbers(instruction))
    return len(every) > 1 and every <= set(numbers(first))


def kept(shard: str, wording: str) -> bool:
    """Whether another wording has the same numbers and negations as its shard, and is not the same text."""
    return (
        bool(wording.strip())
        and wording.strip() != shard.strip()
        and numbers(wording) == numbers(shard)
        and bool(negations(wording)) == bool(negations(shard))
    )
