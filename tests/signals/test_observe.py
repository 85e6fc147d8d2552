from hypothesis import HealthCheck, given, settings

from acr.signals import Signal, observe
from acr.testing import talk
from acr.testing.strategies import conversations

LOST = talk(
    "How many shells did Leigh find?",
    "Let's assume Kyle has 30 shells, so Leigh has 30 / 3 = 10 shells. The answer is 10.",
    "Mimi found 24.",
    "Mimi found 24 shells, so Leigh has 24 / 3 = 8 shells. The answer is 8.",
    "Kyle found twice as many as Mimi.",
)


def test_numbers_and_their_evidence() -> None:
    signals = observe(LOST)
    assert signals["attempts"] == Signal(2, ("1", "3"))
    assert signals["premature"] == Signal(2, ("1", "3"))
    assert signals["redone"] == Signal(1, ("3",))
    assert signals["scattered"] == Signal(2, ("2", "4"))
    assert signals["requirement"].evidence == ("4",)
    assert 0.5 < signals["bloat"].value < 1
    assert signals["no such signal"].value == 0


def test_an_attempt_is_premature_only_once_more_is_said() -> None:
    assert observe(talk("How many?", "10. The answer is 10.", "Thanks!"))["premature"].value == 0


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(conversations())
def test_no_conversation_is_too_strange(conversation: object) -> None:
    signals = observe(conversation)  # type: ignore[arg-type]
    ids = {turn.id for turn in conversation}  # type: ignore[attr-defined]
    for signal in signals.values():
        assert set(signal.evidence) <= ids
