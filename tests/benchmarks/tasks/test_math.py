"""Reading and scoring of numbers: right, wrong, malformed and adversarial answers."""

import re

import pytest
from acr_benchmarks import task
from acr_benchmarks.soundness import numbers, problems
from acr_benchmarks.task import Item, Shard
from acr_benchmarks.tasks.math import Math
from hypothesis import given
from hypothesis import strategies as st

TASK = Math()


def item(answer: str) -> Item:
    return Item("i", "math", (Shard(1, "?"),), {"question": "?", "answer": answer})


def score(response: str, gold: str = "#### 18") -> float | None:
    answer = TASK.extract(item(gold), response)
    return None if answer is None else TASK.score(item(gold), answer.text)


@pytest.mark.parametrize(
    "response",
    [
        "16 + 2 = 18\nAnswer: 18",
        "Answer: 18.",
        "Answer: 18.00",
        "**Answer: 18**",
        "**Answer:** 18",
        "### Final Answer: $18",
        "final answer : 18 dollars",
        "Answer: 16 + 2 = 18",
        "Answer: \\boxed{18}",
        "Answer: \\(18\\)",
        "Answer:\n18",
        "Answer:\n\n\\[ 18 \\]",
        "- Answer: 18 (16 and 2)",
        "Answer: 36/2",
        "Answer: 17\nNo, I forgot two.\nAnswer: 18",
        "Answer: 18\nThis takes 2 steps.",
        "The total is 16 + 2 = 18.",
        "So she has 18",
        "The final answer is:\n\\[ \\boxed{18} \\]",
        "\\boxed{16} at first, then \\boxed{x = 18} after 2 more.",
        "10 apples... that makes $18.",
    ],
)
def test_right(response: str) -> None:
    assert score(response) == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "Answer: 17",
        "Answer: -18",
        "Answer: 18.01",
        "Answer: 180",
        "Answer: 1,8",
        "18 it was, and then 2 more.",
        "Answer: 18\nAnswer: 19",
        "Answer: 0.18",
        "Answer: 18/0",
    ],
)
def test_wrong(response: str) -> None:
    assert score(response) == 0.0


@pytest.mark.parametrize(
    "response", ["", "   \n", "I need more information.", "Answer: unknown", "Answer: ", "∞"]
)
def test_no_answer(response: str) -> None:
    assert score(response) is None


def test_a_line_that_presents_no_number_is_no_answer_whatever_stands_before() -> None:
    assert score("There are 18 in the box.\nAnswer: I cannot say yet") is None


def test_all_answers_at_once_are_one_try() -> None:
    assert score("Answer: " + ", ".join(map(str, range(100)))) == 0.0
    assert score("Answer: 1 or 18") == 0.0
    assert score("\n".join(f"Answer: {n}" for n in range(19))) == 1.0  # the last one counts, as stated
    assert score("\n".join(f"Answer: {n}" for n in range(20))) == 0.0
    assert score(" ".join(map(str, range(30)))) == 0.0


def test_presented_answers_are_told_from_guesses() -> None:
    for response, explicit in (("Answer: 4", True), ("\\boxed{4}", True), ("it is 4", False), ("4?", False)):
        answer = TASK.extract(item("#### 1"), response)
        assert answer is not None and answer.explicit is explicit


@pytest.mark.parametrize(
    ("gold", "response"),
    [
        ("#### 1,234", "Answer: 1234"),
        ("#### 1234", "Answer: $1,234.00"),
        ("#### 1234567", "Answer: 1{,}234{,}567"),
        ("#### -5", "Answer: -5"),
        ("#### -5", "Answer: −5"),
        ("#### -5", "Answer: -$5"),
        ("#### 0.5", "Answer: 1/2"),
        ("#### 0.5", "Answer: .5"),
        ("#### 25", "Answer: 25%"),
        ("42", "Answer: 42"),
        ("step 3 #### 7 #### 9", "Answer: 9"),
    ],
)
def test_notations(gold: str, response: str) -> None:
    assert score(response, gold) == 1.0


def test_a_minus_between_numbers_is_not_a_sign() -> None:
    assert score("20-2=18") == 1.0
    assert score("it went from 20-18", "#### 18") == 1.0


def test_gold_that_is_no_number_scores_nothing() -> None:
    assert TASK.score(item("#### none"), "none") == 0.0
    assert TASK.score(item("#### nan"), "nan") == 0.0
    assert TASK.score(item("#### inf"), "inf") == 0.0


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    for response in (text, f"Answer: {text}", f"{text}\nAnswer:\n{text}"):
        answer = TASK.extract(item("#### 18"), response)
        assert answer is None or TASK.score(item("#### 18"), answer.text) in (0.0, 1.0)
        TASK.score(item("#### 18"), text)


ITEMS = task.read(TASK.path(), "math")


def test_there_are_enough_built_in_items() -> None:
    assert len(ITEMS) >= 40


@pytest.mark.parametrize("built_in", ITEMS, ids=lambda built_in: built_in.id)
def test_built_in_items_are_sound(built_in: Item) -> None:
    assert list(problems(built_in, TASK.full(built_in))) == []
    steps = re.findall(r"<<([\d+*/() -]+)=(\d+)>>", built_in.text("answer"))
    assert steps
    for expression, result in steps:
        assert eval(expression) == int(result)  # the pattern lets only arithmetic through
    gold = built_in.text("answer").rpartition("####")[2].strip()
    assert steps[-1][1] == gold
    assert TASK.score(built_in, gold) == 1.0
    assert not re.search(r"\d", built_in.shards[0].text), "the first piece is the question alone"
    assert gold not in numbers(TASK.full(built_in)), "the answer is not to be read off the question"
