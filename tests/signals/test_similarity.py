from hypothesis import given
from hypothesis import strategies as st

from acr.signals import observe
from acr.signals.similarity import cosine, hashed
from acr.testing import talk


@given(st.text(), st.text())
def test_vectors_of_any_text(one: str, other: str) -> None:
    assert -1.001 <= cosine(hashed(one), hashed(other)) <= 1.001
    assert hashed(one) == hashed(one)


def test_spelling_is_what_it_knows() -> None:
    one, near, far = map(hashed, ("garden fences", "the garden fence", "quantum physics"))
    assert cosine(one, near) > 0.5 > cosine(one, far)


def test_off_by_default() -> None:
    said = talk("How long is the garden fence?", "40 metres.", "And quantum physics?")
    assert "drift" not in observe(said)
    signals = observe(said, embed=hashed)
    assert signals["drift"].value > 0.5
    assert signals["drift"].evidence == ("0", "2")


def test_any_function_will_do() -> None:
    signals = observe(talk("a", "b", "c"), embed=lambda text: [1.0, 0.0])
    assert signals["newest_to_answer"].value == 1
