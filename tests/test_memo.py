from acr.memo import Memo


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
