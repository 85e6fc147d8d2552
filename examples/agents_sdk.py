"""The OpenAI Agents SDK with ACR as its model input filter."""

import asyncio

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, set_tracing_disabled
from openai import AsyncOpenAI

from acr.integrations.agents import input_filter


async def main() -> None:
    set_tracing_disabled(True)
    client = AsyncOpenAI()
    model = (await client.models.list()).data[0].id
    agent = Agent("Clerk", "Answer briefly.", model=OpenAIChatCompletionsModel(model, client))
    config = RunConfig(call_model_input_filter=input_filter())
    items: list = []
    for said in (
        "How much does my phone plan cost in a year?",
        "The plan is 18 euros a month.",
        "In December they charge 6 euros extra.",
    ):
        result = await Runner.run(agent, [*items, {"role": "user", "content": said}], run_config=config)
        items = result.to_input_list()
        print(f"> {said}\n{result.final_output}\n")


asyncio.run(main())
