"""The record of an episode."""

from acr_benchmarks.records import TurnRecord, scores, total


def turns(*given: float | None) -> list[TurnRecord]:
    return [TurnRecord(user="u", score=score) for score in given]


def test_the_last_answer_counts_and_the_first_right_one_is_kept() -> None:
    assert scores(turns(0.0, 1.0, 0.0)) == (0.0, 1, 1.0)
    assert scores(turns(0.0, 0.0, 1.0)) == (1.0, 2, 1.0)
    assert scores(turns(0.0, 0.4)) == (0.4, None, 0.4)


def test_a_turn_without_an_answer_leaves_the_earlier_one_standing() -> None:
    assert scores(turns(1.0, None)) == (1.0, 0, 1.0)
    assert scores(turns(0.0, None)) == (0.0, None, 0.0)


def test_no_answer_at_all_is_zero() -> None:
    assert scores(turns(None, None)) == (0.0, None, 0.0)
    assert scores([]) == (0.0, None, 0.0)


def test_a_part_of_the_tokens_is_not_the_sum() -> None:
    assert total([1, 2]) == 3
    assert total([1, None]) is None
    assert total([]) == 0
