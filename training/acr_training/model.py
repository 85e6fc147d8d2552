"""What training asks of a model: an answer to messages, under a bound on how many are asked at once."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from acr_benchmarks.client import Reply


class Model(Protocol):
    """Anything that answers. `acr_benchmarks.client.Client` does."""

    async def complete(self, messages: Sequence[Mapping[str, Any]], seed: int) -> Reply:
        """Raises `UpstreamError` if the server is gone, `BenchmarkError` if it refuses."""
        ...


@dataclass(frozen=True)
class Bounded:
    """At most so many calls at once, each one counted."""

    model: Model
    slots: asyncio.Semaphore
    on_call: Callable[[], None] = lambda: None

    async def complete(self, messages: Sequence[Mapping[str, Any]], seed: int) -> Reply:
        async with self.slots:
            reply = await self.model.complete(messages, seed)
        self.on_call()
        return reply
