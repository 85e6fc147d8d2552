"""LiteLLM's hook, called as its proxy calls it."""

import copy

import pytest

pytest.importorskip("litellm", reason="litellm is not installed: pip install litellm")

from acr.integrations.litellm import AcrHook

LOST = [
    {"role": "user", "content": "How much do I earn in a week?"},
    {"role": "assistant", "content": "You earn $400 in a week.\n\nAnswer: 400"},
    {"role": "user", "content": "I get $30 an hour and work 7 hours a day, 5 days a week."},
]


async def test_a_lost_chat_request_is_refactored() -> None:
    data = {"model": "m", "messages": copy.deepcopy(LOST), "metadata": {"a": 1}}
    after = await AcrHook().async_pre_call_hook(None, None, data, "acompletion")
    assert "400" not in str(after["messages"]) and {**after, "messages": LOST} == {**data, "messages": LOST}
    assert data["messages"] == LOST


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"messages": LOST[:1]}, "acompletion"),
        ({"messages": LOST, "n": 2}, "acompletion"),
        ({"input": ["a"]}, "aembedding"),
        ({"messages": LOST}, "anthropic_messages"),
        ({"messages": [{"role": "narrator"}]}, "acompletion"),
    ],
)
async def test_everything_else_is_the_same_object(data: dict, kind: str) -> None:
    assert await AcrHook().async_pre_call_hook(None, None, data, kind) is data
