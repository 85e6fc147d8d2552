"""The models that a collection asks, their answers kept on disk so that equal requests are asked once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from acr_benchmarks.client import Client, first_model, plain_name
from acr_benchmarks.memo import memo

from acr.errors import TrainingError
from acr_training.config import Collect, Endpoint
from acr_training.model import Bounded, Model

ANSWERS = "answers.sqlite"


@dataclass(frozen=True, slots=True)
class Models:
    """The base model and the judge, with their names."""

    base: Model
    name: str
    judge: Model
    judged_by: str


@asynccontextmanager
async def served(plan: Collect, on_call: Callable[[], None]) -> AsyncIterator[Models]:
    """The models of a plan. Raises `TrainingError` if it names no server, `UpstreamError` if that is gone."""
    url = plan.model.base_url
    if url is None:
        raise TrainingError("no model server: give --base-url URL")
    connector = aiohttp.TCPConnector(limit=0)
    slots = asyncio.Semaphore(plan.concurrency)
    async with (
        aiohttp.ClientSession(connector=connector, trust_env=False) as session,
        memo(plan.answers or plan.out / ANSWERS, url, plan.model.timeout) as kept,
    ):
        base, name = await client(session, kept, plan.model)
        judge, judged_by = await client(session, plan.judge.base_url or kept, plan.judge)
        yield Models(Bounded(base, slots, on_call), name, Bounded(judge, slots, on_call), judged_by)


async def client(session: aiohttp.ClientSession, url: str, endpoint: Endpoint) -> tuple[Client, str]:
    name = endpoint.model or await first_model(session, url, endpoint.key)
    made = Client(
        session, url, name, endpoint.temperature, endpoint.max_tokens, endpoint.key, endpoint.timeout
    )
    return made, plain_name(name)
