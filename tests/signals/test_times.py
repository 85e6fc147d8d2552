from acr.signals import observe
from acr.testing import talk


def test_years_and_a_shift() -> None:
    said = ("Who led the museum in 2015?", "Ms Lind.")
    assert observe(talk(*said, "And how many visitors came?"))["time_scope"].value == 1
    assert not observe(talk(*said, "And how many visitors came?"))["time_shift"]
    assert observe(talk(*said, "And in 2017?"))["time_shift"].evidence == ("0", "2")


def test_other_figures_are_no_years() -> None:
    assert not observe(talk("It costs 2015.50 or 12015, at 20:15.", "ok", "ok"))["time_scope"]
