from acr.memo import Bounded, Memo


def test_work_is_done_once_a_text() -> None:
    seen: list[str] = []
    memo = Memo(lambda text: seen.append(text) or len(text))  # type: ignore[func-returns-value]
    long = "x" * 1000
    assert [memo("a"), memo("a"), memo(long), memo("x" * 1000)] == [1, 1, 1000, 1000]
    assert seen == ["a", long]


def test_memory_is_bounded_in_results_and_does_not_hold_long_texts() -> None:
    memo = Memo(len, size=10)
    for number in range(100):
        memo(f"{number}" * 500)
    assert len(memo._known) <= 10
    assert all(isinstance(key, bytes) and len(key) == 16 for key in memo._known)


def test_lone_surrogates_are_keys_too() -> None:
    assert Memo(len)("\ud83d" * 300) == 300


def test_bounded_keeps_the_newest_within_number_and_weight() -> None:
    held: Bounded[str] = Bounded(3, 10)
    for key in range(5):
        held.put(key, f"value {key}", 2)
    assert [key for key in range(5) if key in held] == [2, 3, 4]
    held.put(5, "heavy", 9)
    assert [key for key in range(6) if key in held] == [5]
    held.put(6, "too heavy for anything", 11)
    assert not any(key in held for key in range(7))


def test_bounded_gives_a_value_away_once_and_only_if_it_is_the_wanted_one() -> None:
    held: Bounded[str] = Bounded(3, 10)
    held.put(1, "old", 8)
    held.put(1, "new", 8)
    assert held.get(1) == "new"
    assert held.take(1, lambda value: value == "old") is None and 1 in held
    assert held.take(1, lambda value: value == "new") == "new"
    assert held.take(1, lambda value: True) is None and held.get(1) is None
    held.put(2, "has room again", 10)
    assert 2 in held
    held.clear()
    assert 2 not in held
