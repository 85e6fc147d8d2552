"""A scripted chat-completions server on loopback, and a few items."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks.records import Episode, TurnRecord, scores
from acr_benchmarks.task import Item, Shard
from aiohttp import web

Handler = Callable[[dict[str, Any]], Any]


def completion(text: str, **more: Any) -> dict[str, Any]:
    """A response body."""
    return {
        "model": "scripted",
        "system_fingerprint": "b1",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"} | more
        ],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 4},
        },
    }


class Server:
    """Answers with what `handler` makes of a request body: a body, or (status, body)."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.bypassed: list[bool] = []
        """Of each request, whether it asked ACR to leave it alone."""
        self.handler: Handler = lambda body: completion("Answer: 1")
        self.delay = 0.0
        self.active = self.most = 0
        self.url = ""

    async def chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.requests.append(body)
        self.bypassed.append(request.headers.get("x-acr-bypass") == "true")
        self.active += 1
        self.most = max(self.most, self.active)
        try:
            await asyncio.sleep(self.delay)
        finally:
            self.active -= 1
        answer = self.handler(body)
        status, content = answer if isinstance(answer, tuple) else (200, answer)
        return web.json_response(content, status=status, headers={"x-acr-overhead-ms": "0.5"})

    async def models(self, request: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": "scripted"}]})


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    made = Server()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", made.chat)
    app.router.add_get("/v1/models", made.models)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield made
    await runner.cleanup()


def record(number: int, answer: int = 18) -> dict[str, Any]:
    """A small item in LiC's schema."""
    return {
        "task_id": f"item-{number}",
        "task": "math",
        "question": f"Whole question {number}?",
        "answer": f"Reasoning <<1+1=2>>. #### {answer}",
        "shards": [
            {"shard_id": 1, "shard": f"How many in {number}?"},
            {
                "shard_id": 2,
                "shard": "There are 16 at first.",
                "variants": ["At first, 16.", "16 to begin with."],
            },
            {"shard_id": 3, "shard": "Two are added."},
        ],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file of four items."""
    path = tmp_path / "items.json"
    path.write_text(json.dumps([record(number) for number in range(4)]), encoding="utf-8")
    return path


@pytest.fixture
def item() -> Item:
    row = record(0)
    shards = tuple(Shard(s["shard_id"], s["shard"], tuple(s.get("variants", ()))) for s in row["shards"])
    return Item("item-0", "math", shards, row)


@pytest.fixture
def make_completion() -> Callable[..., dict[str, Any]]:
    return completion


Wait = Callable[[Callable[[], bool]], Awaitable[None]]


@pytest.fixture
def wait_for() -> Wait:
    """Wait until something is so, at most 100 s: a process has to start, on a machine that may be busy."""

    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(100):
            while not condition():  # noqa: ASYNC110 - the condition is about another process
                await asyncio.sleep(0.01)

    return wait


@pytest.fixture
def shared() -> Path:
    """The shared data folder; skips where there is none."""
    path = Path(os.environ.get("ACR_TEST_DATA") or Path(__file__).parents[3] / "shared")
    if not (path / "data").is_dir():
        pytest.skip(f"no data folder at {path}: set ACR_TEST_DATA")
    return path


MANIFEST = {"model": "m", "temperature": 0.7, "max_tokens": 9, "seed": 0, "user": "scripted", "data": {}}


def scripted_episode(
    setting: str, item: int, *given: float, run: int = 0, task: str = "math", acr: dict | None = None
) -> Episode:
    turns = [
        TurnRecord(
            user="u",
            assistant="a" * 10 * (index + 1),
            answer="1",
            explicit=True,
            score=score,
            prompt_tokens=100,
            completion_tokens=20,
            cached_tokens=50,
            finish_reason="length" if index else "stop",
            acr=acr or {},
        )
        for index, score in enumerate(given)
    ]
    score, first, protocol = scores(turns)
    return Episode(
        task=task,
        item=f"item-{item}",
        setting=setting,
        run=run,
        seed=0,
        user="scripted",
        system="s",
        order=[],
        turns=turns,
        score=score,
        first_correct=first,
        protocol_score=protocol,
        prompt_tokens=100 * len(turns),
        completion_tokens=20 * len(turns),
        seconds=2.0,
        acr_version="0.1.0",
    )


def scripted_run() -> list[Episode]:
    """FULL 100, SHARDED 0 (once right in between), a policy half way."""
    headers = {"decision": "intervened", "operator": "recap", "overhead-ms": "0.4"}
    episodes = []
    for item in range(4):
        episodes.append(scripted_episode("full", item, 1.0))
        episodes.append(scripted_episode("sharded", item, 1.0 if item == 0 else 0.0, 0.0))
        episodes.append(scripted_episode("acr:rules", item, 0.0, float(item % 2), acr=headers))
    return episodes


@pytest.fixture
def episode() -> Callable[..., Episode]:
    """Makes an episode from a setting, an item's number and the scores of its turns."""
    return scripted_episode


@pytest.fixture
def small() -> list[Episode]:
    """FULL 100, SHARDED 0 (once right in between), a policy half way."""
    return scripted_run()


@pytest.fixture
def manifest() -> dict[str, Any]:
    return dict(MANIFEST)
