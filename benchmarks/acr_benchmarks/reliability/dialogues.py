"""Conversations whose right answer is known, and a model server that shows which context it was sent.

Each conversation has figures of its own, so a view of another one would show. The server answers with a
digest of the messages; asked as the auxiliary model, it gives the state of the conversation that it is shown.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from aiohttp import web

from acr import arefactor, registry
from acr.engine import Engine
from acr.errors import BenchmarkError

FIRST, STEPS = 8, 4
"""User turns of a conversation's first request, and its requests: `abstract` needs one state for all."""
HELPER = "helper"
"""Name of the auxiliary model."""
_PADDING = " It is a matter of taste, of the season, and of how much time there is." * 8


def messages(number: int, turns: int) -> list[dict[str, Any]]:
    """The first `turns` user turns of conversation `number`, with the answers between them."""
    price, budget = 1000 + number, 500_000 + number
    said = [
        "Plan a weekend in Porto for 4 people.",
        f"Porto is lovely. The Hotel Aurora costs {price} euro." + _PADDING,
        f"The budget is {budget} euro.",
        "That is enough for two nights." + _PADDING,
        "No museums, please.",
        "Then walks and the river." + _PADDING,
        "Ana does not eat fish.",
        "There is a grill at the port." + _PADDING,
        "We arrive at 14:20 on Friday.",
        "Good, that leaves the evening.",
        "Find a place for breakfast.",
        "Cafe Luz opens at 8.",
        "What can we do on Sunday morning?",
        "Walk along the river.",
        f"We can pay {price} for the room.",
        "Good.",
        "Where is the port?",
        "South of the old town.",
        "Is it open on Saturday?",
        "Yes, from 12 on.",
        "We would like a table outside.",
    ]
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "content": text} for n, text in enumerate(said[: 2 * turns - 1])]


def state(transcript: str) -> str:
    """What the auxiliary model makes of a conversation that it is shown."""
    price = re.search(r"Aurora costs (\d+) euro", transcript)
    budget = re.search(r"budget is (\d+) euro", transcript)
    assert price is not None and budget is not None
    return json.dumps(
        {
            "goal": "Plan a weekend in Porto for 4 people.",
            "requirements": [
                f"The budget is {budget[1]} euro.",
                "No museums, please.",
                "Ana does not eat fish.",
            ],
            "decisions": [],
            "results": [f"Hotel Aurora costs {price[1]} euro.", "A grill at the port."],
            "open_questions": [],
        }
    )


def digest(seen: Any) -> str:
    """What the server answers for these messages."""
    return blake2b(json.dumps(seen, sort_keys=True).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Step:
    """One request, and what its answer has to be."""

    number: int
    body: bytes
    right: str
    raw: str
    """The answer where the context went on as it came."""


async def conversation(number: int) -> list[Step]:
    """All requests of a conversation, worked out in this process by one engine."""

    async def complete(asked: Sequence[Mapping[str, str]]) -> str:
        return state(asked[1]["content"])

    engine = Engine(
        registry.controller("always:abstract"), registry.operators(["abstract"]), complete=complete
    )
    steps = []
    for turns in range(FIRST, FIRST + STEPS):
        said = messages(number, turns)
        view = await arefactor(said, engine=engine)
        if not view.changed:
            raise BenchmarkError(f"no view of conversation {number}: {view.decision.reason}")
        body = json.dumps({"model": "m", "messages": said}).encode()
        steps.append(Step(number, body, digest(view.messages), digest(said)))
    return steps


@dataclass
class Model:
    """The model server, in this process."""

    delay: float = 0.1
    """Seconds that the auxiliary model takes."""
    asked: list[int] = field(default_factory=list)
    """The budget in each call of the auxiliary model: it names the conversation."""
    url: str = ""

    @asynccontextmanager
    async def serve(self) -> "AsyncIterator[Model]":
        app = web.Application(client_max_size=1 << 24)
        app.router.add_post("/v1/chat/completions", self._answer)
        app.router.add_get("/v1/models", self._models)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield self
        finally:
            await runner.cleanup()

    async def _models(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "m", "object": "model"}]})

    async def _answer(self, request: web.Request) -> web.Response:
        asked = await request.json()
        if asked["model"] == HELPER:
            transcript = asked["messages"][1]["content"]
            found = re.search(r"budget is (\d+) euro", transcript)
            assert found is not None
            self.asked.append(int(found[1]) - 500_000)
            await asyncio.sleep(self.delay)
            text = state(transcript)
        else:
            text = digest(asked["messages"])
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}
        return web.json_response(
            {"id": "c", "object": "chat.completion", "created": 0, "model": asked["model"]}
            | {"choices": [choice], "usage": usage}
        )
