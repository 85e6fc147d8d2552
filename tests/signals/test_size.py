from acr.signals import observe
from acr.testing import talk
from acr.tokens import count_conversation


def test_the_estimate_is_near_the_count() -> None:
    text = "The garden fence is forty metres long and one metre costs eighteen euros. " * 20
    conversation = talk(text, text, text)
    assert 0.8 < observe(conversation)["tokens"].value / count_conversation(conversation) < 1.3


def test_shares() -> None:
    signals = observe(talk("x" * 400, "y" * 400, "z" * 400))
    assert signals["answers_share"].value == round(1 / 3, 3)
    assert signals["window_share"].value == round((1200 / 4.5 + 12) / 32768, 3)
