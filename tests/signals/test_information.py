from acr.signals import observe
from acr.testing import talk


def test_claims_that_a_turn_adds() -> None:
    signals = observe(
        talk("How long is the trip?", "3 hours.", "We start in Oslo. There are 2 breaks. Fine.")
    )
    assert signals["gain"].value == 2
    assert signals["gain"].evidence == ("2",)
    assert signals["updates"].value == 0


def test_claims_that_a_turn_updates() -> None:
    signals = observe(talk("Book a table for 12 people.", "Done: 12 people.", "Actually, make it 15 people."))
    assert (signals["gain"].value, signals["updates"].value) == (0, 1)


def test_an_answer_that_says_nothing_new() -> None:
    said = ("The red tent sleeps four campers.", "The red tent sleeps four campers.", "And?")
    assert observe(talk(*said))["answer_gain"].value == 0
    new = (said[0], "Bring blankets and candles.", "And?")
    assert observe(talk(*new))["answer_gain"].value == 1


def test_underspecified_until_a_fact_comes() -> None:
    assert observe(talk("How old is the phone?", "Which one?", "hm"))["underspecified"].evidence == ("0",)
    assert not observe(talk("How old is the phone?", "Which one?", "It was made in 2019."))["underspecified"]
    assert not observe(talk("How old is Brandon's phone of 2019?", "5.", "hm"))["underspecified"]
