"""The assistant's call: one chat completion over HTTP, retried only where a retry is honest."""

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import aiohttp

from acr.auxiliary import BYPASS
from acr.errors import BenchmarkError, UpstreamError
from acr_benchmarks.memo import AGAIN, SECONDS

PAUSES = (1.0, 3.0, 9.0, 20.0)
"""Seconds before each further attempt, after a busy or broken server."""
PATIENCE = aiohttp.ClientTimeout(total=30)
"""For a list of models."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the server, or the news that the conversation no longer fits (`error` = "context")."""

    text: str = ""
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    model: str = ""
    fingerprint: str = ""
    acr: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    view: list[dict[str, Any]] | None = None
    """The messages as the model saw them, where ACR changed them."""
    signals: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True)
class Client:
    """Chat completions at one base URL (with `/v1`), directly or through ACR."""

    session: aiohttp.ClientSession
    base_url: str
    model: str
    temperature: float
    max_tokens: int
    key: str = ""
    timeout: float = 900.0
    """Seconds for one call, attempts counted apart."""
    pauses: Sequence[float] = PAUSES
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request body."""
    bypass: bool = True
    """Off only where `base_url` is the proxy under test."""

    async def complete(self, messages: Sequence[Mapping[str, str]], seed: int) -> Reply:
        """The reply to `messages`.

        Raises `UpstreamError` when the server stays unreachable or failing, `BenchmarkError` when it
        refuses the request for a reason that another attempt or another item would not change.
        """
        failure = ""
        for pause in (0.0, *self.pauses):
            await asyncio.sleep(pause)
            start = perf_counter()
            try:
                status, headers, body = await self.post(messages, seed)
            except TimeoutError:
                failure = f"none within {self.timeout:.0f} s"
                continue
            except (aiohttp.ClientError, OSError) as error:
                failure = reason(error)
                continue
            seconds = perf_counter() - start
            if AGAIN in headers:
                seconds += float(headers[SECONDS])
            if status == 200:
                return await self.explain(read(body, headers, seconds))
            if overflow(status, body):
                return Reply(seconds=seconds, acr=acr_headers(headers), error="context")
            failure = f"status {status}: {str(body)[:300]}"
            if status < 500 and status not in (408, 409, 425, 429):
                raise BenchmarkError(f"{self.base_url} refused the request, {failure}")
        raise UpstreamError(
            f"{self.base_url} did not answer after {len(self.pauses) + 1} attempts, {failure}"
        )

    async def explain(self, reply: Reply) -> Reply:
        """The reply with what the model saw, from ACR's own trace of the call.

        A trace is kept after the client has its last byte, so it may take a moment to appear. Raises
        `BenchmarkError` if it does not: an episode whose context nobody can check is worth nothing.
        """
        if reply.acr.get("decision") != "intervened":
            return reply
        url = f"{self.base_url}/acr/decisions/{reply.acr.get('trace')}"
        for pause in (0.0, 0.01, 0.05, 0.2, 1.0, 3.0):
            await asyncio.sleep(pause)
            async with self.session.get(url) as response:
                if response.status == 200:
                    trace = await response.json()
                    return replace(reply, view=trace["view"], signals=trace["signals"])
        raise BenchmarkError(f"ACR reports an intervention but {url} knows nothing of it")

    async def post(
        self, messages: Sequence[Mapping[str, str]], seed: int
    ) -> tuple[int, Mapping[str, str], Any]:
        body = {
            "model": self.model,
            "messages": list(messages),
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": seed,
            **self.extra,
        }
        headers = dict(BYPASS) if self.bypass else {}
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        async with self.session.post(
            f"{self.base_url}/chat/completions",
            json=body,
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=self.timeout),
        ) as response:
            try:
                return response.status, response.headers, await response.json(content_type=None)
            except ValueError:
                return response.status, response.headers, await response.text()


def read(body: Any, headers: Mapping[str, str], seconds: float) -> Reply:
    """The reply in a response body. Raises `UpstreamError` if it is not a chat completion."""
    try:
        choice = body["choices"][0]
        usage = body.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        return Reply(
            text=choice["message"].get("content") or "",
            finish_reason=choice.get("finish_reason"),
            prompt_tokens=usage.get("prompt_tokens"),
            completion_tokens=usage.get("completion_tokens"),
            cached_tokens=details.get("cached_tokens"),
            model=plain_name(body.get("model") or ""),
            fingerprint=body.get("system_fingerprint") or "",
            acr=acr_headers(headers),
            seconds=seconds,
        )
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise UpstreamError(f"the answer is not a chat completion: {str(body)[:300]}") from error


def plain_name(model: str) -> str:
    """A model's name without the folders of a machine: some servers name the model by its file."""
    return model.replace("\\", "/").rpartition("/")[2] if model.startswith(("/", "./", "~")) else model


def acr_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """What ACR reports about the call, by name without `x-acr-`."""
    return {
        name.lower().removeprefix("x-acr-"): value
        for name, value in headers.items()
        if name.lower().startswith("x-acr-")
    }


def overflow(status: int, body: Any) -> bool:
    """Whether the server says that the conversation is too long for the model."""
    text = str(body).lower()
    return status in (400, 413, 500) and (
        "exceed_context_size" in text or "context_length_exceeded" in text or "context size" in text
    )


async def first_model(session: aiohttp.ClientSession, base_url: str, key: str = "") -> str:
    """The first model the server lists. Raises `UpstreamError` if it lists none or cannot be reached."""
    advice = "; give a model with --model"
    headers = {"authorization": f"Bearer {key}"} if key else None
    try:
        with reaching(base_url):
            async with session.get(f"{base_url}/models", headers=headers, timeout=PATIENCE) as response:
                response.raise_for_status()
                return str((await response.json(content_type=None))["data"][0]["id"])
    except aiohttp.ClientResponseError as error:
        raise UpstreamError(f"{base_url}/models answered HTTP {error.status}{advice}") from error
    except (aiohttp.ClientError, ValueError, LookupError, TypeError) as error:
        raise UpstreamError(f"{base_url}/models names no model{advice}") from error


async def reach(session: aiohttp.ClientSession, base_url: str) -> None:
    """Raise `UpstreamError` where no server answers; what it answers does not matter."""
    with reaching(base_url):
        async with session.get(f"{base_url}/models", timeout=PATIENCE):
            pass


@contextmanager
def reaching(base_url: str) -> Iterator[None]:
    """Faults on the way to a server become an `UpstreamError` that names it and says what to do."""
    try:
        yield
    except aiohttp.InvalidURL as error:
        raise UpstreamError(f"{base_url} is no address of a model server, such as http://…/v1") from error
    except TimeoutError as error:
        raise UpstreamError(
            f"the model server {base_url} did not answer within {PATIENCE.total:.0f} s"
        ) from error
    except (aiohttp.ClientConnectionError, OSError) as error:
        raise UpstreamError(
            f"the model server {base_url} cannot be reached ({reason(error)}): "
            "start it, or name another with --base-url"
        ) from error


def reason(error: Exception) -> str:
    """Why a connection failed, without the address."""
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its name is not known"
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(number, int) and number > 0 else type(error).__name__
