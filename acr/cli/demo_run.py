"""Runs one conversation against one server, and keeps what is worth showing."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from acr.auxiliary import BYPASS
from acr.cli.demo_task import SYSTEM
from acr.errors import UpstreamError

if TYPE_CHECKING:
    import openai

    from acr.settings import Settings

MAX_TOKENS = 700
TIMEOUT = 900.0
"""Seconds for one answer: a small machine may need them."""

Changed = Callable[[], None]


@dataclass
class Turn:
    """One message of the user and what came back."""

    user: str
    text: str = ""
    seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    counted: bool = False
    """Whether the token counts are the server's; else they are estimates."""
    decision: dict[str, str] = field(default_factory=dict)
    """The `x-acr-*` headers, without that prefix."""
    done: bool = False


@dataclass
class Side:
    """One of the conversations that are shown side by side."""

    title: str
    url: str
    key: str
    model: str
    seed: int
    temperature: float
    turns: list[Turn] = field(default_factory=list)
    raw: bool = True
    """Whether a server that is itself an ACR is asked to leave this side alone."""

    @property
    def tokens(self) -> int:
        return sum(turn.prompt_tokens + turn.completion_tokens for turn in self.turns)

    @property
    def seconds(self) -> float:
        return sum(turn.seconds for turn in self.turns)

    @property
    def answer(self) -> str:
        return self.turns[-1].text if self.turns else ""

    async def converse(self, pieces: tuple[str, ...], changed: Changed) -> None:
        """Say the pieces one after the other. `changed` is called whenever there is more to show.

        Raises `UpstreamError` if the server does not answer.
        """
        import openai

        messages: list[dict[str, str]] = [{"role": "system", "content": SYSTEM}]
        try:
            async with openai.AsyncOpenAI(
                base_url=self.url, api_key=self.key, timeout=TIMEOUT, max_retries=0
            ) as client:
                for piece in pieces:
                    messages.append({"role": "user", "content": piece})
                    turn = Turn(piece)
                    self.turns.append(turn)
                    await self.ask(client, messages, turn, changed)
                    messages.append({"role": "assistant", "content": turn.text})
        except openai.APIStatusError as error:
            raise UpstreamError(
                f"the model server answered HTTP {error.status_code}: {error.message}"
            ) from error
        except openai.APIError as error:
            raise UpstreamError(f"the model server did not answer ({type(error).__name__})") from error

    async def ask(
        self, client: "openai.AsyncOpenAI", messages: list[dict[str, str]], turn: Turn, changed: Changed
    ) -> None:
        start = time.perf_counter()
        response = await self.opened(client, messages)
        prefix = "x-acr-"
        turn.decision = {k[len(prefix) :]: v for k, v in response.headers.items() if k.startswith(prefix)}
        async for chunk in response.parse():
            if chunk.usage:
                turn.prompt_tokens = chunk.usage.prompt_tokens
                turn.completion_tokens = chunk.usage.completion_tokens
                turn.counted = True
            for choice in chunk.choices:
                turn.text += choice.delta.content or ""
            turn.seconds = time.perf_counter() - start
            changed()
        if not turn.counted:
            self.estimate(messages, turn)
        turn.done = True
        changed()

    async def opened(self, client: "openai.AsyncOpenAI", messages: list[dict[str, str]]) -> Any:
        """The response's head. Servers that refuse sampling parameters are asked again without them."""
        import openai

        create: Any = client.chat.completions.with_raw_response.create
        sampling = {"temperature": self.temperature, "seed": self.seed, "max_tokens": MAX_TOKENS}
        usage = {"stream_options": {"include_usage": True}}
        headers = BYPASS if self.raw else {}
        create = partial(create, extra_headers=headers)
        try:
            return await create(model=self.model, messages=messages, stream=True, **sampling, **usage)
        except openai.BadRequestError:
            return await create(model=self.model, messages=messages, stream=True)

    @staticmethod
    def estimate(messages: list[dict[str, str]], turn: Turn) -> None:
        """Where the server reports no usage: what the model saw, as ACR counts it."""
        from acr import tokens

        seen = turn.decision.get("tokens-after")
        plain = sum(tokens.PER_MESSAGE + tokens.count(message["content"]) for message in messages)
        turn.prompt_tokens = int(seen) if seen else plain
        turn.completion_tokens = tokens.count(turn.text)


@contextmanager
def proxy(settings: "Settings") -> Iterator[str]:
    """A proxy that really serves, on a free loopback port, as long as the block runs. Its base URL."""
    import socket

    import uvicorn

    from acr.proxy.server import config

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        own = {"host": "127.0.0.1", "port": port, "api_key": (), "workers": 1}
        server = uvicorn.Server(config(settings.model_copy(update=own)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="acr-demo-proxy")
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    raise UpstreamError("the proxy did not start")
                time.sleep(0.01)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.should_exit = True
            thread.join()
