"""The review file: what is written is read, and what a person may do to it."""

import pytest
from acr_benchmarks.sharding import review
from acr_benchmarks.sharding.cut import Piece
from acr_benchmarks.sharding.review import Reviewed
from hypothesis import given
from hypothesis import strategies as st

from acr.errors import BenchmarkError

words = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.just("\n"), min_size=1
).filter(lambda text: text.strip() == text and all(line.rstrip() == line for line in text.split("\n")))
made = st.builds(Piece, words, st.lists(words, max_size=3).map(tuple))


@given(st.lists(made, min_size=1, max_size=4), words, st.lists(words, max_size=2))
def test_what_is_written_is_read(pieces: list[Piece], instruction: str, notes: list[str]) -> None:
    text = review.HEAD + "\n" + review.section("an id", instruction, pieces, notes)
    assert review.read(text) == [Reviewed("an id", False, tuple(pieces))]


FILE = """# Review

Some words.

## a/1

> How many?
> 1. this is no piece

- checks: nothing found
- [x] accept

1. How many?
   - the number?
2. There are 3,
     on two lines.
   - 3 it is
     on two
7. A piece that the person added.

## b

- [ ] accept

1. One
"""


def test_a_person_edits() -> None:
    assert review.read(FILE) == [
        Reviewed(
            "a/1",
            True,
            (
                Piece("How many?", ("the number?",)),
                Piece("There are 3,\non two lines.".replace("\\\n", "\n"), ("3 it is\non two",)),
                Piece("A piece that the person added."),
            ),
        ),
        Reviewed("b", False, (Piece("One"),)),
    ]
    assert review.read(FILE.replace("[x]", "[X]").replace("\n", "\r\n"))[0].accepted


def test_what_makes_no_sense_is_named() -> None:
    with pytest.raises(BenchmarkError, match="line 19 of item 'a/1' is neither"):
        review.read(FILE.replace("7. A piece", "A piece"))
    with pytest.raises(BenchmarkError, match="'a/1' is there twice"):
        review.read(FILE.replace("## b", "## a/1"))
    assert review.read("") == []
