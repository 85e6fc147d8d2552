"""Checks on sharded items that need no model: enough pieces, enough wordings, and every number kept.

A wording that changes a number, or a piece that the instruction does not know, makes a different task of it.
"""

import re
from collections.abc import Iterator

from acr_benchmarks.task import Item

FEWEST, MOST = 4, 8
"""Pieces of an item."""
WORDINGS = 3
"""Variants of each piece, besides the piece itself."""

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def problems(item: Item, instruction: str = "") -> Iterator[str]:
    """What is wrong with an item, in plain words. `instruction` is what FULL says, where that is prose."""
    count = len(item.shards)
    if not FEWEST <= count <= MOST:
        yield f"{count} pieces, not {FEWEST} to {MOST}"
    if [shard.id for shard in item.shards] != list(range(1, count + 1)):
        yield "the pieces are not numbered from 1"
    for shard in item.shards:
        others = {variant.strip() for variant in shard.variants} - {shard.text.strip(), ""}
        if len(others) < WORDINGS:
            yield f"piece {shard.id} has {len(others)} other wordings, not {WORDINGS}"
        for variant in shard.variants:
            if numbers(variant) != numbers(shard.text):
                yield f"piece {shard.id}: other numbers in {variant!r} than in {shard.text!r}"
    if instruction:
        told = {number for shard in item.shards for number in numbers(shard.text)}
        for number in sorted(told ^ set(numbers(instruction))):
            yield f"{number} stands in the pieces or in the instruction, but not in both"


def numbers(text: str) -> list[str]:
    """All numbers written in digits, sorted."""
    return sorted(NUMBER.findall(text))
