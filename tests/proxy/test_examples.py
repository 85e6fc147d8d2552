"""The clients' own first examples, word for word from their documentation: only the base URL is another.

It comes from the environment, so nothing in the examples is changed. What they print, and what reaches the
upstream, is the same as without ACR.
"""

import contextlib
import gc
import importlib.util
import io
from typing import Any

import pytest
from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream
from support.vendors import any_api

OPENAI_RESPONSES = """
import os
from openai import OpenAI

client = OpenAI(
    # This is the default and can be omitted
    api_key=os.environ.get("OPENAI_API_KEY"),
)

response = client.responses.create(
    model="gpt-5.5",
    instructions="You are a coding assistant that talks like a pirate.",
    input="How do I check if a Python object is an instance of a class?",
)

print(response.output_text)
"""
OPENAI_CHAT = """
from openai import OpenAI

client = OpenAI()

completion = client.chat.completions.create(
    model="gpt-5.5",
    messages=[
        {"role": "developer", "content": "Talk like a pirate."},
        {
            "role": "user",
            "content": "How do I check if a Python object is an instance of a class?",
        },
    ],
)

print(completion.choices[0].message.content)
"""
OPENAI_ASYNC_STREAM = """
import asyncio
from openai import AsyncOpenAI

client = AsyncOpenAI()


async def main():
    stream = await client.responses.create(
        model="gpt-5.5",
        input="Write a one-sentence bedtime story about a unicorn.",
        stream=True,
    )

    async for event in stream:
        print(event)


asyncio.run(main())
"""
OPENAI_STRUCTURED = """
from openai import OpenAI
from pydantic import BaseModel

client = OpenAI()

class CalendarEvent(BaseModel):
    name: str
    date: str
    participants: list[str]

response = client.responses.parse(
    model="gpt-5.5",
    input=[
        {"role": "system", "content": "Extract the event information."},
        {
            "role": "user",
            "content": "Alice and Bob are going to a science fair on Friday.",
        },
    ],
    text_format=CalendarEvent,
)

event = response.output_parsed
print(event)
"""
ANTHROPIC = """
import os
from anthropic import Anthropic

client = Anthropic(
    api_key=os.environ.get("ANTHROPIC_API_KEY"),  # This is the default and can be omitted
)

message = client.messages.create(
    max_tokens=1024,
    messages=[
        {
            "role": "user",
            "content": "Hello, Claude",
        }
    ],
    model="claude-opus-5-5",
)
print(message.content)
"""
LANGCHAIN = """
from langchain_openai import ChatOpenAI

llm = ChatOpenAI(model="gpt-5-nano")
messages = [
    (
        "system",
        "You are a helpful assistant that translates English to French. Translate the user sentence.",
    ),
    ("human", "I love programming."),
]
ai_msg = llm.invoke(messages)
print(ai_msg.text)
"""
LITELLM = """
from litellm import completion
import os

os.environ["OPENAI_API_KEY"] = "your-openai-key"
os.environ["ANTHROPIC_API_KEY"] = "your-anthropic-key"

# OpenAI
response = completion(model="openai/gpt-4o", messages=[{"role": "user", "content": "Hello!"}])

# Anthropic
response = completion(model="anthropic/claude-sonnet-4-20250514", messages=[{"role": "user", "content": "Hello!"}])
print(response.choices[0].message.content)
"""
EXAMPLES: dict[str, tuple[str, str]] = {
    "openai-responses": (OPENAI_RESPONSES, "ok\n"),
    "openai-chat": (OPENAI_CHAT, "ok\n"),
    "openai-async-stream": (OPENAI_ASYNC_STREAM, "ResponseCompletedEvent("),
    "openai-structured": (OPENAI_STRUCTURED, "participants=['Alice', 'Bob']"),
    "anthropic": (ANTHROPIC, "text='ok'"),
    "langchain_openai": (LANGCHAIN, "ok\n"),
    "litellm": (LITELLM, "ok\n"),
}


@pytest.mark.filterwarnings("ignore")  # examples close nothing
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_of_the_documentation(
    name: str, upstream: ScriptedUpstream, proxy: RunningProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = name.partition("-")[0]
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed: pip install 'adaptive-context-refactoring[clients]'")
    code, expected = EXAMPLES[name]
    upstream.script = any_api
    seen: list[Any] = []
    for url in (upstream.url, proxy.url):
        upstream.received.clear()
        for variable, value in variables(url).items():
            monkeypatch.setenv(variable, value)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"<{name}>", "exec"), {"__name__": "__main__"})
        gc.collect()  # what the example left open is closed here, not in another test
        assert expected in printed.getvalue()
        seen.append((printed.getvalue(), [(each.target, each.body) for each in upstream.received]))
    assert seen[0] == seen[1] and seen[0][1]


def variables(url: str) -> dict[str, str]:
    return {
        "OPENAI_BASE_URL": url,
        "OPENAI_API_KEY": "sk-FAKE",
        "ANTHROPIC_BASE_URL": url.removesuffix("/v1"),
        "ANTHROPIC_API_KEY": "sk-FAKE",
    }
