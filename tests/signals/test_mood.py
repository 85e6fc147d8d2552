import pytest

from acr.signals import observe
from acr.testing import talk


@pytest.mark.parametrize(
    "text",
    [
        "No, that's wrong.",
        "I already told you it is blue!!!",
        "LISTEN TO ME NOW",
        "Das ist falsch.",
        "Ya te lo dije.",
        "不对",
        "違います",
    ],
)
def test_frustration(text: str) -> None:
    assert observe(talk("What colour is it?", "Red.", text))["frustration"].evidence == ("2",)


@pytest.mark.parametrize("text", ["It is blue.", "NASA", "What a nice answer!", "不错"])
def test_no_frustration(text: str) -> None:
    assert not observe(talk("What colour is it?", "Red.", text))["frustration"]


def test_the_same_thing_asked_again() -> None:
    assert observe(talk("What colour is it?", "I see.", "what colour is it"))["asked_again"].evidence == (
        "2",
    )
    assert not observe(talk("What colour is it?", "Red.", "What shape is it?"))["asked_again"]
