"""Two instances, one Redis: killed, restarted, paused and filled up while clients go on asking."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle, zip_longest
from typing import Any

import aiohttp

from acr_benchmarks.reliability.dialogues import HELPER, STEPS, Model, Step, conversation
from acr_benchmarks.reliability.instances import started
from acr_benchmarks.reliability.load import BETWEEN, SETTLE, Load
from acr_benchmarks.reliability.redis_server import RedisServer

WOVEN = 8
"""Conversations that go on at the same time."""

Action = Callable[[RedisServer], None]
STATES: dict[str, Action | None] = {
    "up": None,
    "killed": RedisServer.kill,
    "restarted": RedisServer.start,
    "paused": RedisServer.pause,
    "resumed": RedisServer.resume,
    "full": RedisServer.fill,
    "emptied": RedisServer.empty,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how hard."""

    seconds: float = 12.0
    """Of each state."""
    warm: float = 4.0
    """Before the first one."""
    rate: float = 10.0
    """Requests a second, over both instances."""
    timeout: float = 0.05
    """ACR_VIEWS_TIMEOUT."""
    states: Sequence[str] = field(default_factory=lambda: tuple(STATES))


async def measure(plan: Plan) -> dict[str, Any]:
    """Run it all and give what was seen, by state. Takes the states' time and some seconds to start."""
    count = int((plan.warm + plan.seconds * len(plan.states)) * plan.rate / STEPS) + 1
    dialogues = [await conversation(number) for number in range(count)]
    async with _running(plan) as (load, model, server):
        load.state = BETWEEN
        over = asyncio.Event()
        asking = asyncio.ensure_future(load.run(until(over, dialogues), plan.rate))
        rows: dict[str, dict[str, Any]] = {}
        await asyncio.sleep(plan.warm)
        for state in plan.states:
            rows[state] = await _state(state, plan, load, model, server)
        over.set()
        await asking
        metrics = [await _metrics(root) for root in load.roots]
    for state, row in rows.items():
        row.update(load.seen[state].data())
    return {
        "instances": len(load.roots),
        "rate": plan.rate,
        "views_timeout": plan.timeout,
        "conversations": count,
        "requests": sum(row["requests"] for row in _all(load)),
        "wrong": sum(row["wrong"] for row in _all(load)),
        "lost": sum(row["lost"] for row in _all(load)),
        "auxiliary_calls": len(model.asked),
        "states": rows,
        "metrics": metrics,
    }


def until(over: asyncio.Event, dialogues: Sequence[Sequence[Step]]) -> Iterator[Step]:
    """The requests of the conversations, and again from the first where states take longer than planned."""
    for step in cycle(list(woven(dialogues))):
        if over.is_set():
            return
        yield step


def woven(dialogues: Sequence[Sequence[Step]]) -> Iterator[Step]:
    """The requests in order, those of several conversations in turn.

    Every second round begins one later, so that a conversation changes the instance with each request.
    """
    for first in range(0, len(dialogues), WOVEN):
        rounds = zip_longest(*dialogues[first : first + WOVEN])
        for number, steps in enumerate(rounds):
            present = [step for step in steps if step is not None]
            yield from [*present[1:], present[0]] if number % 2 else present


@asynccontextmanager
async def _running(plan: Plan) -> AsyncIterator[tuple[Load, Model, RedisServer]]:
    with ExitStack() as stack:
        server = stack.enter_context(RedisServer())
        async with Model().serve() as model:
            roots = await started(
                stack,
                2,
                upstream=model.url,
                auxiliary_model=HELPER,
                controller="always:abstract",
                views=server.url,
                views_timeout=str(plan.timeout),
                shutdown_timeout="3",
            )
            yield Load(roots), model, server


async def _state(state: str, plan: Plan, load: Load, model: Model, server: RedisServer) -> dict[str, Any]:
    """Bring a state about while requests go on; what was asked and told meanwhile."""
    load.state, action = BETWEEN, STATES[state]
    begun = time.monotonic()
    if action is not None:
        await asyncio.to_thread(action, server)
    await asyncio.sleep(SETTLE)
    load.state, calls = state, len(model.asked)
    await asyncio.sleep(max(0.0, (plan.seconds - SETTLE) - (time.monotonic() - begun)))
    told = [await _ready(root) for root in load.roots]
    return {"readyz": told, "auxiliary_calls": len(model.asked) - calls}


async def _ready(root: str) -> dict[str, Any]:
    async with aiohttp.ClientSession() as session, session.get(f"{root}/readyz") as answer:
        return {"status": answer.status, **(await answer.json()).get("degraded", {})}


async def _metrics(root: str) -> dict[str, float]:
    """What an instance counted of views."""
    async with aiohttp.ClientSession() as session, session.get(f"{root}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    rows = (line.rsplit(" ", 1) for line in lines if line.startswith("acr_view_") and "_created" not in line)
    return {name: float(value) for name, value in rows}


def _all(load: Load) -> list[dict[str, Any]]:
    return [seen.data() for seen in load.seen.values()]
