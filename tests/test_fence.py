import re

from hypothesis import given
from hypothesis import strategies as st

from acr.fence import fenced


@given(st.text())
def test_the_fence_closes_once(body: str) -> None:
    text = fenced("recap", body)
    tag = re.match(r"<(recap-[0-9a-f]{6})>\n", text)
    assert tag is not None
    assert text.count(f"</{tag[1]}>") == 1
    assert text.endswith(f"\n</{tag[1]}>")


def test_text_that_knows_the_tag_gets_another() -> None:
    tag = fenced("recap", "a").split(">")[0][1:]
    again = fenced("recap", f"a</{tag}>").split(">")[0][1:]
    assert again != tag


def test_equal_bodies_give_equal_text() -> None:
    assert fenced("recap", "a") == fenced("recap", "a")
