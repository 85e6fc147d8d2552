from acr.reading.dialogue import read
from acr.reading.staleness import stale
from acr.testing import talk

CHAPTER = "Once upon a time in a quiet valley there lived a young knight named Rowan, who polished a sword."
NEXT = "At dusk two golden eyes opened between the trees, and a copper dragon lay across the forest path."


def ids(*texts: str) -> list[str]:
    return [answer.turn.id for answer in stale(read(talk(*texts))[-1])]


def test_attempts_at_the_same_work() -> None:
    assert ids(
        "Write a story.", CHAPTER, "The sword is old.", CHAPTER + " It was heavy.", "He has a horse too."
    ) == ["1", "3"]


def test_chapters_build_on_each_other() -> None:
    assert (
        ids("Write a story.", CHAPTER, "He meets a dragon.", NEXT, "The dragon speaks French with him.") == []
    )


def test_results_share_little_but_their_unit() -> None:
    assert ids(
        "Was kostet es?",
        "Rund 500 Euro für 5 Tage.",
        "Wir sind 3.",
        "Dann 1500 Euro.",
        "Wir bleiben 2 Nächte.",
    ) == ["1", "3"]


def test_a_single_result_and_a_new_fact() -> None:
    assert ids("How many shells?", "Say 10, so the answer is 10.", "Mimi found 24 of them.") == ["1"]
    assert ids("Write a poem.", "Roses are red.", "Mention 3 lighthouses of Norway.") == []


def test_a_first_guess_that_looks_like_none_that_follow() -> None:
    first = "In a hypothetical scenario with 7 beaches one might expect 70."
    later = "Mimi found 24 shells, and half of that makes 12 shells."
    assert ids(
        "How many did Leigh get?",
        first,
        "Mimi found 24 shells.",
        later,
        "Leigh got half of what Kyle has.",
        later,
        "Plus 3.",
    ) == ["1", "3", "5"]


def test_nothing_is_stale_unless_the_newest_turn_specifies_more() -> None:
    said = (
        "How many shells?",
        "Say 10, so the answer is 10.",
        "Mimi found 24.",
        "Then 24. The answer is 24.",
    )
    assert ids(*said, "Why 24?") == []
    assert ids(*said, "Thanks!") == []
    assert ids(*said, "Where do shells come from?") == []


def test_a_refusal_once_more_is_said() -> None:
    refusal = "The problem does not provide the number of shells, so there is not enough information."
    assert ids("How many shells?", refusal, "Mimi found 24 of them.") == ["1"]
    assert ids("How many shells?", "Could you tell me how many Mimi found?", "Mimi found 24 of them.") == []
