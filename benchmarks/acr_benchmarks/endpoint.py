"""A model that helps the benchmark itself: it plays the user, sorts responses, judges, or cuts instructions.

Its calls go to an OpenAI-compatible server directly, never through ACR, and are no part of what is measured.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp

from acr.errors import UpstreamError
from acr_benchmarks.client import PAUSES, Client, first_model

JUDGE_URL, JUDGE_MODEL, JUDGE_KEY = "BENCH_JUDGE_URL", "BENCH_JUDGE_MODEL", "BENCH_JUDGE_KEY"
STARTS = 50
"""Opening braces of a text at which a JSON object is looked for."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where that model is. An empty `model` is the first one that the server lists."""

    base_url: str
    model: str = ""
    key: str = field(default="", repr=False)
    timeout: float = 300.0
    pauses: Sequence[float] = PAUSES

    async def known(self) -> "Endpoint":
        """The same with its model's name filled in. Raises `UpstreamError` if the server names none."""
        if self.model:
            return self
        async with aiohttp.ClientSession(trust_env=False) as session:
            return replace(self, model=await first_model(session, self.base_url, self.key))

    async def ask(
        self,
        messages: Sequence[Mapping[str, str]],
        seed: int,
        *,
        temperature: float = 0.0,
        max_tokens: int = 300,
    ) -> str:
        """The model's answer. Raises `UpstreamError` or `BenchmarkError` as `Client.complete` does, and
        `UpstreamError` where the messages do not fit the model.
        """
        one = await self.known()
        async with aiohttp.ClientSession(trust_env=False) as session:
            client = Client(
                session,
                one.base_url,
                one.model,
                temperature,
                max_tokens,
                one.key,
                one.timeout,
                one.pauses,
            )
            reply = await client.complete(messages, seed)
        if reply.error:
            raise UpstreamError(f"the request does not fit the context of {one.model}")
        return reply.text


def judge() -> Endpoint | None:
    """The judge that the environment names, if it does."""
    url = os.environ.get(JUDGE_URL)
    if not url:
        return None
    key = os.environ.get(JUDGE_KEY) or os.environ.get("OPENAI_API_KEY", "")
    return Endpoint(url.rstrip("/"), os.environ.get(JUDGE_MODEL, ""), key)


def json_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a model's answer, whatever stands around it; None if there is none."""
    decoder = json.JSONDecoder()
    for start in [match.start() for match in re.finditer(r"\{", text)][:STARTS]:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None
