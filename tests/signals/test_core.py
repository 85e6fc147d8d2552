from acr.signals import FAMILIES, Signal, Signals, observe
from acr.testing import talk


def test_a_name_that_there_is_not_reads_as_nothing() -> None:
    assert Signals({})["anything"] == Signal(0.0)


def test_more_signals_leave_the_others_unasked() -> None:
    asked: list[str] = []

    class Loud(dict[str, Signal]):
        def __getitem__(self, name: str) -> Signal:
            asked.append(name)
            return super().__getitem__(name)

    both = Signals(Loud(slow=Signal(1.0))).plus({"quick": Signal(2.0)})
    assert both["quick"].value == 2
    assert asked == []
    assert both["slow"].value == 1
    assert both.numbers() == {"slow": 1.0, "quick": 2.0}


def test_every_signal_has_a_number_for_a_conversation_of_one_turn() -> None:
    assert set(observe(talk("Hi")).numbers()) == set(FAMILIES)
