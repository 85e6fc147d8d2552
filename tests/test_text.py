import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr import text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("A is 1.5 m. B? Yes!", ["A is 1.5 m.", "B?", "Yes!"]),
        ("我有三个。你呢？好", ["我有三个。", "你呢？", "好"]),
        ("a\nb\n\nc", ["a", "b", "c"]),
        ("Costs 1.847,20 EUR.", ["Costs 1.847,20 EUR."]),
        ("  ", []),
    ],
)
def test_sentences(given: str, expected: list[str]) -> None:
    assert text.sentences(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1.847,20 EUR for INV-2024, factor -3.5 on 2025-02-03", ["1.847,20", "2024", "-3.5", "2025-02-03"]),
        ("9:30 and 10 000", ["9:30", "10", "000"]),
        ("none", []),
    ],
)
def test_numbers(given: str, expected: list[str]) -> None:
    assert text.numbers(given) == expected


def test_words_of_scripts_without_spaces_are_pairs() -> None:
    assert text.words(text.tokens("我有苹果 and 2 pears")) == ["我有", "有苹", "苹果", "and", "pears"]


def test_stems_let_inflections_meet() -> None:
    assert text.stem("shells") == text.stem("shell")
    assert text.stem("Kyle's".lower()) == text.stem("kyle")


def test_quoted_spans() -> None:
    assert text.quoted('say "a b" and “c d” and «e f» and 「g」 and `h_i`') == [
        "a b",
        "c d",
        "e f",
        "g",
        "h_i",
    ]


@pytest.mark.parametrize("given", ["Why?", "为什么？", "لماذا؟", 'He said "why?"', "Really?!"])
def test_questions(given: str) -> None:
    assert text.asks(given) is (given != "Really?!")


@given(st.text())
def test_clean_text_can_always_be_encoded(given: str) -> None:
    text.clean(given).encode()
    text.clean(given + "\ud83d").encode()


@given(st.text(max_size=300))
def test_sentences_hold_every_word(given: str) -> None:
    joined = "".join(text.sentences(given))
    for token in given.split():
        assert token.strip("\"')]»”’") in joined or not token.strip("\"')]»”’")
