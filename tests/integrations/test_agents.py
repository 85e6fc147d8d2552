"""The filter of the OpenAI Agents SDK, called as its runner calls it."""

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed: pip install openai-agents")

from agents.run_config import CallModelData, ModelInputData

from acr.integrations.agents import input_filter

LOST = [
    {"role": "user", "content": "How much do I earn in a week?"},
    {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "status": "completed",
        "content": [{"type": "output_text", "text": "Answer: 400", "annotations": []}],
    },
    {"role": "user", "content": "I get $30 an hour and work 7 hours a day, 5 days a week."},
]


async def test_the_model_gets_the_view() -> None:
    data = ModelInputData(list(LOST), "Be terse.")
    seen = await input_filter()(CallModelData(data, None, None))
    assert "400" not in str(seen.input) and seen.instructions == "Be terse."
    assert data.input == LOST


async def test_what_is_not_lost_is_the_same_object() -> None:
    data = ModelInputData(LOST[:1], None)
    assert await input_filter()(CallModelData(data, None, None)) is data
