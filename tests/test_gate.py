import pytest

from acr.conversation import Conversation, Turn
from acr.gate import closed
from acr.testing import talk


def turns(*given: Turn) -> Conversation:
    return Conversation(given)


@pytest.mark.parametrize(
    ("conversation", "reason"),
    [
        (turns(), "no messages"),
        (talk("only one"), "single turn"),
        (talk("only one", system="s"), "single turn"),
        (talk("a", "b"), "not the user's"),
        (
            turns(
                Turn("0", "user", "a"),
                Turn("1", "user", "b"),
                Turn("2", "assistant", "", calls=("c",)),
                Turn("3", "tool", "r", answers=("c",)),
            ),
            "open tool loop",
        ),
        (
            turns(Turn("0", "user", "a"), Turn("1", "assistant", "", calls=("c",)), Turn("2", "user", "b")),
            "without its result",
        ),
        (
            turns(Turn("0", "user", "a"), Turn("1", "tool", "r", answers=("c",)), Turn("2", "user", "b")),
            "without its call",
        ),
        (turns(Turn("0", "user", "a"), Turn("1", "user", "b", sealed=True)), "sealed"),
    ],
)
def test_the_gate_is_closed(conversation: Conversation, reason: str) -> None:
    assert reason in (closed(conversation) or "")


def test_the_gate_is_open_for_an_ordinary_dialogue() -> None:
    assert closed(talk("a", "b", "c", system="s")) is None
