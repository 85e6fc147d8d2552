from acr.ledger import read
from acr.testing import talk


def test_a_figure_that_a_later_turn_uses() -> None:
    ledger = read(
        talk(
            "12 boxes of 30 pens. How many?",
            "That makes 12 * 30 = 360 pens.",
            "Divide the 360 among 4 shops.",
        )
    )
    (figure,) = ledger.figures
    assert (figure.figure, figure.turn, figure.used_in) == ("360", "1", ("2",))
    assert figure.text == "That makes 12 * 30 = 360 pens."


def test_what_the_user_gave_and_what_nobody_uses_is_none() -> None:
    assert not read(talk("12 boxes of 30 pens.", "12 * 30 = 360.", "Now 30 more.", "So 390.")).figures
