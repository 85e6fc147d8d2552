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
async def kept(plan: Collect, host: str = "127.0.0.1") -> AsyncIterator[str]:
    """A server in front of the base model's that keeps answers on disk, on an address of `host`.

    Raises `TrainingError` if the plan names no server, `UpstreamError` if it has to be asked for its models
    and cannot be: the server in front could only say so under an address that nobody gave.
    """
    url = plan.model.base_url
    if url is None:
        raise TrainingError("no model server: give --base-url URL")
    if not plan.model.model:
        async with aiohttp.ClientSession(trust_env=False) as session:
            await first_model(session, url, plan.model.key)
    async with memo(plan.answers or plan.out / ANSWERS, url, plan.model.timeout, host) as front:
        yield front


@asynccontextmanager
async def served(plan: Collect, url: str, on_call: Callable[[], None]) -> AsyncIterator[Models]:
    """The models of a plan, the base model's at `url`. Raises `UpstreamError` if a server is gone."""
    slots = asyncio.Semaphore(plan.concurrency)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, trust_env=False) as session:
        base, name = await client(session, url, plan.model)
        judge, judged_by = await client(session, plan.judge.base_url or url, plan.judge)
        yield Models(Bounded(base, slots, on_call), name, Bounded(judge, slots, on_call), judged_by)


async def client(session: aiohttp.ClientSession, url: str, endpoint: Endpoint) -> tuple[Client, str]:
    name = endpoint.model or await first_model(session, url, endpoint.key)
    made = Client(
        session, url, name, endpoint.temperature, endpoint.max_tokens, endpoint.key, endpoint.timeout
    )
    return made, plain_name(name)
