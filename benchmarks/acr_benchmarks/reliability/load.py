"""Requests at a steady rate, whatever becomes of them: what is slow or lost is not asked for less."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import aiohttp

SETTLE = 0.3
"""Seconds after a change, and before the next one, in which requests are counted as of neither state."""
BETWEEN = "between"
"""Their state."""


class Asked(Protocol):
    """A request and the answers that it may get."""

    @property
    def body(self) -> bytes: ...

    @property
    def right(self) -> str: ...

    @property
    def raw(self) -> str: ...


@dataclass(slots=True)
class Seen:
    """What became of the requests of one state of affairs."""

    right: int = 0
    untouched: int = 0
    """The model saw the conversation as it came: no harm, but no view."""
    wrong: int = 0
    lost: int = 0
    """No answer, or an error."""
    seconds: list[float] = field(default_factory=list)
    """To the last byte, by the client."""
    overhead: list[float] = field(default_factory=list)
    """Milliseconds of ACR's own, by its header."""

    def data(self) -> dict[str, Any]:
        """As plain data; times in milliseconds."""
        return {
            "requests": self.right + self.untouched + self.wrong + self.lost,
            "right": self.right,
            "untouched": self.untouched,
            "wrong": self.wrong,
            "lost": self.lost,
            "client_ms": spread([each * 1000 for each in self.seconds]),
            "acr_ms": spread(self.overhead),
        }


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, 99th percentile and maximum; empty of nothing."""
    if not values:
        return {}
    ordered = sorted(values)
    places = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    last = len(ordered) - 1
    return {name: round(ordered[round(place * last)], 2) for name, place in places.items()}


class Load:
    """Sends requests to several addresses in turn. `state` says under which name they are counted."""

    def __init__(self, roots: Sequence[str], key: str = "") -> None:
        self.roots = roots
        self.state = ""
        self.seen: dict[str, Seen] = {}
        self._headers = {"content-type": "application/json"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"

    async def run(self, requests: Iterable[Asked], rate: float) -> None:
        """Send all of them, `rate` a second, and wait for the last answer."""
        begun = time.monotonic()
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session,
            asyncio.TaskGroup() as group,
        ):
            for number, asked in enumerate(requests):
                await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
                root = self.roots[number % len(self.roots)]
                group.create_task(self._one(session, root, asked, self.state))

    async def _one(self, session: aiohttp.ClientSession, root: str, asked: Asked, state: str) -> None:
        seen, begun = self.seen.setdefault(state, Seen()), time.perf_counter()
        try:
            url = f"{root}/v1/chat/completions"
            async with session.post(url, data=asked.body, headers=self._headers) as answer:
                document = await answer.json()
                status, overhead = answer.status, answer.headers.get("x-acr-overhead-ms")
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError):
            seen.lost += 1
            return
        seen.seconds.append(time.perf_counter() - begun)
        if overhead is not None:
            seen.overhead.append(float(overhead))
        if status != 200:
            seen.lost += 1
            return
        text = document["choices"][0]["message"]["content"]
        if text == asked.right:
            seen.right += 1
        elif text == asked.raw:
            seen.untouched += 1
        else:
            seen.wrong += 1
