from acr.conversation import Conversation, Turn
from acr.signals import observe


def calls(*results: str, waiting: bool = False) -> Conversation:
    turns = [Turn("0", "user", "Find the file.")]
    for number, result in enumerate(results):
        turns.append(Turn(f"c{number}", "assistant", "", calls=(str(number),), plain=False))
        turns.append(Turn(f"r{number}", "tool", result, answers=(str(number),)))
    if waiting:
        turns.append(Turn("w", "assistant", "", calls=("w",), plain=False))
    return Conversation(tuple(turns))


def test_failures_at_the_end() -> None:
    signals = observe(calls("a.txt", "Error: no such file", '{"error": "timed out"}'))
    assert signals["tool_errors"].evidence == ("r1", "r2")
    assert signals["tool_calls"].value == 3
    assert not observe(calls("Error: no such file", "a.txt"))["tool_errors"]
    assert not observe(calls('{"error": null, "files": []}'))["tool_errors"]


def test_the_same_result_over_and_over() -> None:
    assert observe(calls("a", "b", "a", "a"))["tool_loop"].value == 2
    assert observe(calls("a", "b", "c"))["tool_loop"].value == 0


def test_a_call_that_waits() -> None:
    assert observe(calls("a", waiting=True))["tool_open"].evidence == ("w",)
    assert not observe(calls("a"))["tool_open"]
