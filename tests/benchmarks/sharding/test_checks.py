"""What the checks find in shards, and what they let pass."""

import pytest
from acr_benchmarks import task
from acr_benchmarks.sharding.checks import faults, kept, negations
from acr_benchmarks.tasks.math import Math

INSTRUCTION = (
    "Maria has 24 apple trees and half as many pear trees. Each tree gives 35 kg. "
    "The 3 oldest do not give any. How many kilograms does the orchard of Maria give?"
)
GOOD = (
    "How many kilograms does Maria's orchard give?",
    "Maria has 24 apple trees.",
    "There are half as many pear trees as apple trees.",
    "Each tree gives 35 kg.",
    "The 3 oldest trees do not give any.",
)


def found(*shards: str) -> list[str]:
    return list(faults(INSTRUCTION, shards))


def test_good_shards_have_no_faults() -> None:
    assert found(*GOOD) == []
    assert found(GOOD[0], *reversed(GOOD[1:])) == [], "the order is free"


@pytest.mark.parametrize(
    ("shards", "fault"),
    [
        (GOOD[:2], "2 pieces, fewer than 3"),
        ((*GOOD[:3], *GOOD[4:]), "number '35' is missing from the pieces"),
        ((*GOOD, "One tree is 12 years old."), "number '12' is not in the instruction"),
        ((*GOOD[:4], "The 3 oldest trees give nothing."), "negation 'not' is missing from the pieces"),
        ((*GOOD, "But never in winter."), "negation 'never' is not in the instruction"),
        ((*GOOD, "It belongs to Petra."), "name 'petra' is not in the instruction"),
        (("Tell me something.", *GOOD[1:], GOOD[0]), "the first piece does not say what is wanted"),
        ((*GOOD[1:], GOOD[0]), "the first piece does not say what is wanted"),
        (
            ("24 trees, 35 kg, 3 without: how many kilograms of Maria?", *GOOD[1:]),
            "the first piece says everything",
        ),
    ],
)
def test_every_fault_is_told(shards: tuple[str, ...], fault: str) -> None:
    assert fault in found(*shards)


def test_what_is_said_twice_must_stay_twice() -> None:
    said = "Tom has 3 red and 3 blue pens. How many pens has Tom?"
    assert list(faults(said, ["How many pens has Tom?", "Tom has 3 red pens.", "Tom has blue pens."])) == [
        "number '3' is missing from the pieces (1 of 2)"
    ]


def test_negations_by_any_spelling() -> None:
    assert negations("It can't. It cannot. It don’t.") == {"not": 3}
    assert negations("It can. A knot.") == {}


def test_wordings() -> None:
    assert kept("Maria has 24 trees.", "24 trees, all Maria's")
    assert not kept("Maria has 24 trees.", "Maria has 25 trees")
    assert not kept("Maria has 24 trees.", "Maria has 24 trees. ")
    assert not kept("The 3 oldest do not bear.", "the 3 oldest bear")
    assert not kept("Maria has 24 trees.", "  ")


def test_our_own_items_pass() -> None:
    """Written for this schema: a check that they fail is a bad check."""
    items = task.read(Math().path(), "math")
    marked = {
        item.id: problems
        for item in items
        if (problems := list(faults(item.text("question"), [shard.text for shard in item.shards])))
    }
    assert marked == {}
