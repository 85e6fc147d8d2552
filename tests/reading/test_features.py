from hypothesis import given
from hypothesis import strategies as st

from acr.reading.features import _LIMIT, features


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    found = features(text)
    assert found.length == len(text)


def test_names_and_identifiers() -> None:
    assert features("Then Kyle calls get_weather with maxTemp and BRCA2.").names == {
        "kyle", "get_weather", "maxtemp", "brca2",
    }  # fmt: skip
    assert features("Wir haben das Haus in Bonn und den Garten.").names == frozenset()


def test_acts_in_several_languages() -> None:
    assert features("Shorten the second one.").does("rework", "reference")
    assert features("Vielen Dank!").does("accept")
    assert features("把第二个改短一点").does("reference")
    assert features("En realidad, somos 5.").does("correction")
    assert features("その他の質問です。ところで").does("new_topic")
    assert features("Mimi picked up 2 dozen seashells on the beach.").acts.keys() <= {"subject"}


def test_a_huge_text_is_read_at_both_ends() -> None:
    found = features("alpha " + "x " * _LIMIT + "omega")
    assert {"alph", "omeg"} <= found.content
    assert found.length > _LIMIT
