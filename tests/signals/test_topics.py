from acr.signals import observe
from acr.testing import talk

DINNER = ("We invite eight guests for a mushroom dinner.", "Sounds good.", "Thanks!", "Sure.")


def test_a_switch() -> None:
    signals = observe(talk(*DINNER, "New topic: who wrote Faust?"))
    assert signals["switch"].evidence == ("4",)
    assert not signals["return"]
    assert not observe(talk(*DINNER[:2], "Two guests are vegan."))["switch"]


def test_a_return_names_the_task_it_returns_to() -> None:
    said = (*DINNER, "New topic: who wrote Faust?", "Goethe.", "Thanks!", "Sure.")
    assert observe(talk(*said, "How many guests come to the mushroom dinner?"))["return"].evidence == (
        "0",
        "8",
    )
