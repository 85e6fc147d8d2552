from hypothesis import given
from hypothesis import strategies as st

from acr.conversation import Conversation, Turn
from acr.invariants import results
from acr.shorten import BULKY, mark, shortened, without_repeats

LINES = st.lists(st.text(max_size=60), min_size=1, max_size=200).map("\n".join)


@given(st.one_of(LINES, st.text(min_size=1500, max_size=6000)), st.lists(st.text(max_size=6), max_size=5))
def test_parts_are_left_out_and_nothing_new_is_said(text: str, wanted: list[str]) -> None:
    old = Turn("0", "tool", text, answers=("c",), result=True)
    new = old.with_text(shortened(text, wanted, "en"))
    assert results(Conversation((old,)), Conversation((new,))) is None


def test_beginning_end_and_what_is_wanted_stay() -> None:
    text = "\n".join(f"line {n} is like any other" for n in range(500))
    short = shortened(text, ["line 250 "], "de")
    assert short.startswith("line 0 is") and short.endswith("line 499 is like any other")
    assert "\nline 250 is like any other\n" in short and "line 100 " not in short
    assert short.count("hier ausgelassen") == 2 and len(short) < len(text) / 5


def test_marks_have_no_words_where_there_are_none() -> None:
    assert mark(1234, "above", "xx") == "[… 1,234 …]"


def test_repeats() -> None:
    long = "x" * BULKY
    assert without_repeats(f"a\n\n{long}", {long}, "xx") == f"a\n\n[… {BULKY} …]"
    assert without_repeats(f"{long}\n\n{long}y", {long}, "xx") == f"{long}\n\n{long}y"
