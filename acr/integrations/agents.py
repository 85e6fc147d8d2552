"""The OpenAI Agents SDK: a filter over what one model call gets.

    await Runner.run(agent, input, run_config=RunConfig(call_model_input_filter=input_filter()))

The session keeps the raw history; only the input of one call is changed.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from agents.run_config import CallModelData, ModelInputData

from acr.engine import Engine
from acr.forms import RESPONSES
from acr.library import arefactor, chosen


def input_filter(
    controller: str = "rules", *, operator: str | None = None, engine: Engine | None = None
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """A `call_model_input_filter`. Raises `ConfigError` for an unknown controller or operator."""
    engine = chosen(controller, operator, engine)

    async def look(call: CallModelData[Any]) -> ModelInputData:
        data = call.model_data
        view = await arefactor(data.input, engine=engine, operator=operator, form=RESPONSES)
        return ModelInputData(view.messages, data.instructions) if view.changed else data

    return look
