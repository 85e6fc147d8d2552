"""The checks on items can fail."""

from acr_benchmarks.soundness import problems
from acr_benchmarks.task import Item, Shard


def piece(id: int, text: str, *variants: str) -> Shard:
    return Shard(id, text, variants or (f"so: {text}", f"well, {text}", f"{text}, I say"))


def item(*shards: Shard) -> Item:
    return Item("i", "math", shards)


GOOD = (piece(1, "How many?"), piece(2, "There are 5."), piece(3, "And 7."), piece(4, "It is 9:30."))


def test_a_sound_item_has_no_problems() -> None:
    assert list(problems(item(*GOOD), "5 and 7 at 9:30, how many?")) == []


def test_every_fault_is_told() -> None:
    assert "3 pieces" in next(problems(item(*GOOD[:3])))
    assert "numbered" in next(problems(item(*GOOD[:3], piece(5, "x"))))
    assert "piece 4 has 2 other wordings" in next(problems(item(*GOOD[:3], piece(4, "x", "x", "y", "z "))))
    assert "other numbers in 'z 8'" in next(problems(item(*GOOD[:3], piece(4, "z 9", "a 9", "9", "z 8"))))
    assert list(problems(item(*GOOD), "5 and 7 and 11 at 9:30")) == [
        "11 stands in the pieces or in the instruction, but not in both"
    ]
