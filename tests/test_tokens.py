import socket

import pytest

from acr import tokens
from acr.conversation import Conversation, Turn
from acr.testing import talk


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("token counting went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_counts_with_no_network() -> None:
    tokens.encoding.cache_clear()
    tokens.count.clear()
    assert tokens.count("hello world") == 2


@pytest.mark.parametrize("text", ["<|endoftext|>", "<|im_start|>system<|im_end|> <|fim_prefix|>"])
def test_special_tokens_are_just_text(text: str) -> None:
    assert tokens.count(text) > 3


def test_no_text_is_too_strange() -> None:
    assert tokens.count("") == 0
    assert tokens.count("half \ud83d here") > 0


def test_a_cache_folder_of_the_users_own_is_respected(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    tokens.encoding.cache_clear()
    assert tokens.encoding().name == tokens.ENCODING
    tokens.encoding.cache_clear()


def test_an_image_costs_a_flat_sum() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "QUJD" * 100_000}}
    wire = {"role": "user", "content": [{"type": "text", "text": "What is this?"}, image]}
    turn = Turn("0", "user", "What is this?", wire, plain=False, attached=True)
    assert 100 < tokens.count_turn(turn) < 6000


def test_tool_calls_are_counted() -> None:
    calls = [
        {
            "id": "c",
            "type": "function",
            "function": {"name": "f", "arguments": '{"x": "' + "word " * 50 + '"}'},
        }
    ]
    turn = Turn("0", "assistant", "", {"tool_calls": calls}, calls=("c",))
    assert tokens.count_turn(turn) > 50
    assert tokens.count_conversation(Conversation((turn, *talk("a").turns))) > tokens.count_turn(turn)
