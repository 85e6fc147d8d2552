"""Answers equal requests once: a caching server between a run and the model server.

Two settings that send the same context, with the same sampling seed, should get the same answer: it is a
sample of the same distribution, and drawing it twice only adds noise to their difference (common random
numbers). A batching server does not keep that promise by itself, since the numerics depend on what else is in
the batch. So the first answer is kept, and given again. It saves most of the work of settings that differ in
their last turns only, such as `sharded`, `recap` and policies that seldom intervene.

How long the model took is kept with the answer and told in `x-bench-seconds`, so that a kept answer does not
look like a fast one.
"""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from time import perf_counter

import aiohttp
from aiohttp import web

from acr.auxiliary import BYPASS
from acr.errors import BenchmarkError

SECONDS = "x-bench-seconds"
"""Response header: seconds that the model server took for this answer when it was first given."""
AGAIN = "x-bench-again"
"""Response header, `true` on an answer that was kept."""

TABLE = """
create table if not exists answers (
    key text primary key, body blob not null, kind text not null, seconds real not null
) without rowid
"""


class Memo:
    """The answers of one model server, in an SQLite file that survives the run."""

    def __init__(self, path: Path, upstream: str, session: aiohttp.ClientSession) -> None:
        """Raises `BenchmarkError` if the file cannot be used."""
        self.database = sqlite3.connect(path, isolation_level=None)
        try:
            self.database.execute("pragma journal_mode=wal")
            self.database.execute(TABLE)
        except sqlite3.Error as error:
            self.database.close()
            raise BenchmarkError(f"{path} cannot keep answers: {error}") from error
        self.upstream = upstream
        self.session = session
        self.running: dict[str, asyncio.Lock] = {}

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Relay one request; a chat completion that is known is answered from the file."""
        body = await request.read()
        path = request.match_info["path"]
        if request.method != "POST" or path != "chat/completions":
            status, kind, content = await self.ask(request.method, path, body, request)
            return reply(status, kind, content)
        key = digest(body)
        async with self.running.setdefault(key, asyncio.Lock()):
            try:
                if (kept := self.find(key)) is not None:
                    content, kind, seconds = kept
                    return reply(200, kind, content, {SECONDS: f"{seconds:.4f}", AGAIN: "true"})
                start = perf_counter()
                status, kind, content = await self.ask("POST", path, body, request)
                seconds = perf_counter() - start
                if status == 200:
                    self.keep(key, content, kind, seconds)
                return reply(status, kind, content, {SECONDS: f"{seconds:.4f}"})
            finally:
                self.running.pop(key, None)

    async def ask(self, method: str, path: str, body: bytes, request: web.Request) -> tuple[int, str, bytes]:
        """Status, content type and body of the model server's answer; 502 if it cannot be reached."""
        names = ("authorization", "content-type", "accept")
        headers = BYPASS | {name: request.headers[name] for name in names if name in request.headers}
        try:
            async with self.session.request(
                method, f"{self.upstream}/{path}", params=request.query, data=body or None, headers=headers
            ) as response:
                kind = response.headers.get("content-type", "application/json")
                return response.status, kind, await response.read()
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            return 502, "application/json", json.dumps({"error": {"message": repr(error)}}).encode()

    def find(self, key: str) -> tuple[bytes, str, float] | None:
        row = self.database.execute(
            "select body, kind, seconds from answers where key = ?", (key,)
        ).fetchone()
        return (bytes(row[0]), str(row[1]), float(row[2])) if row else None

    def keep(self, key: str, body: bytes, kind: str, seconds: float) -> None:
        self.database.execute("insert or ignore into answers values (?, ?, ?, ?)", (key, body, kind, seconds))


def digest(body: bytes) -> str:
    """The key of a request: its JSON value where it has one, so that spacing and order do not matter."""
    with suppress(ValueError):
        body = json.dumps(json.loads(body), sort_keys=True, ensure_ascii=False).encode()
    return hashlib.sha256(body).hexdigest()


def reply(status: int, kind: str, body: bytes, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(status=status, body=body, headers={"content-type": kind, **(headers or {})})


@asynccontextmanager
async def memo(path: Path, upstream: str, seconds: float, host: str = "127.0.0.1") -> AsyncIterator[str]:
    """Base URL (with `/v1`) of a caching server in front of `upstream`, on a free port of `host`.

    One answer may take that many `seconds`. Raises `BenchmarkError` if `path` cannot be used.
    """
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=seconds)
    ) as session:
        kept = Memo(path, upstream, session)
        application = web.Application(client_max_size=1 << 28)
        application.router.add_route("*", "/v1/{path:.*}", kept.handle)
        runner = web.AppRunner(application, access_log=None)
        with closing(kept.database):
            await runner.setup()
            try:
                site = web.TCPSite(runner, host, 0)
                await site.start()
                yield f"http://{host}:{runner.addresses[0][1]}/v1"
            finally:
                await runner.cleanup()
