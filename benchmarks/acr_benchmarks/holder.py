"""Holds conversations: the clients and the proxies that they need, in one process."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from acr_benchmarks.client import Client
from acr_benchmarks.episode import Job, play
from acr_benchmarks.policy import proxy
from acr_benchmarks.records import Episode
from acr_benchmarks.settings import Setting

Hold = Callable[[Job, Callable[[], None]], Awaitable[Episode]]
"""Holds one conversation; the function given with it is called after each turn."""


@dataclass(frozen=True, slots=True)
class Calls:
    """How the model under test is called."""

    base_url: str
    model: str
    temperature: float
    max_tokens: int
    key: str
    timeout: float
    pauses: Sequence[float]


class Holder:
    """Starts a proxy for each policy and calls the model, directly or through them. Close it at the end."""

    def __init__(self, calls: Calls, log: Path) -> None:
        """`log` gets the messages of the proxies."""
        self.calls = calls
        self.log = log
        self._stack = AsyncExitStack()
        self._clients: dict[str, Client] = {}
        self._session: aiohttp.ClientSession | None = None
        self._opening = asyncio.Lock()

    async def open(self, settings: Iterable[Setting]) -> None:
        """Be ready for these settings. Raises `BenchmarkError` if a proxy does not come up."""
        async with self._opening:
            if self._session is None:
                connector = aiohttp.TCPConnector(limit=0)
                self._session = await self._stack.enter_async_context(
                    aiohttp.ClientSession(connector=connector, trust_env=False)
                )
            for setting in settings:
                if setting.name not in self._clients:
                    self._clients[setting.name] = await self._client(self._session, setting)

    async def _client(self, session: aiohttp.ClientSession, setting: Setting) -> Client:
        calls, url = self.calls, self.calls.base_url
        if setting.policy is not None:
            url = await self._stack.enter_async_context(proxy(setting.policy, url, self.log))
        return Client(
            session,
            url,
            calls.model,
            calls.temperature,
            calls.max_tokens,
            calls.key,
            calls.timeout,
            calls.pauses,
            setting.extra,
            bypass=setting.policy is None,
        )

    async def hold(self, job: Job, on_turn: Callable[[], None] = lambda: None) -> Episode:
        """One conversation. Raises as `play` does."""
        await self.open([job.setting])
        return await play(job, self._clients[job.setting.name], on_turn)

    async def close(self) -> None:
        await self._stack.aclose()
