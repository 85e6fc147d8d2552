"""What clients notice of the store of traces: off, SQLite, PostgreSQL, and each when it does not work."""

import asyncio
import json
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import aiohttp

from acr import arefactor, registry
from acr.engine import Engine
from acr.tracestore.database import Database, Which
from acr_benchmarks.reliability.dialogues import Model, Step, digest, messages
from acr_benchmarks.reliability.instances import started
from acr_benchmarks.reliability.load import BETWEEN, SETTLE, Load
from acr_benchmarks.reliability.postgres_server import PostgresServer

RECOVERY = 10.0
"""Seconds at the end in which what waits may be written: traces of a whole outage."""
CONVERSATIONS = 40

Action = Callable[[], None]
POSTGRES: dict[str, Callable[[PostgresServer], None] | None] = {
    "up": None,
    "paused": PostgresServer.pause,
    "resumed": PostgresServer.resume,
    "killed": PostgresServer.kill,
    "restarted": PostgresServer.start,
    "full": PostgresServer.fill,
    "emptied": PostgresServer.empty,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how hard."""

    seconds: float = 8.0
    """Of each state, what brings it about not counted."""
    rate: float = 12.0
    """Requests a second."""


async def measure(plan: Plan) -> dict[str, Any]:
    """Run it all and give what was seen, by store and state. Text is kept, so that rows have their size."""
    steps = [await step(number) for number in range(CONVERSATIONS)]
    found: dict[str, Any] = {"rate": plan.rate, "seconds": plan.seconds, "stores": {}}
    async with Model().serve() as model:
        found["stores"]["off"] = await _watch(plan, model, steps, {"up": None})
        with tempfile.TemporaryDirectory(prefix="acr-store-") as folder:
            path = Path(folder) / "traces.db"
            with closing(Locker(path)) as locker:
                states = {"up": None, "locked": locker.lock, "unlocked": locker.unlock}
                found["stores"]["sqlite"] = await _watch(plan, model, steps, states, f"sqlite:///{path}")
        with PostgresServer() as server:
            with closing(Database(server.url)) as database:
                database.migrate()
            actions = {name: _bound(action, server) for name, action in POSTGRES.items()}
            found["stores"]["postgresql"] = await _watch(plan, model, steps, actions, server.url)
    return found


async def step(number: int) -> Step:
    """One request, and what the model has to be shown."""
    said = messages(number, 8 + number % 4)
    engine = Engine(registry.controller("always:recap"), registry.operators(["recap"]))
    view = await arefactor(said, engine=engine)
    body = json.dumps({"model": "m", "messages": said}).encode()
    return Step(number, body, digest(view.messages), digest(said))


class Locker:
    """Holds SQLite's lock for writing, as a backup or a stuck process does."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def lock(self) -> None:
        self._connection = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, timeout=30
        )
        self._connection.execute("BEGIN IMMEDIATE")

    def unlock(self) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


async def _watch(
    plan: Plan, model: Model, steps: Sequence[Step], states: Mapping[str, Action | None], store: str = ""
) -> dict[str, Any]:
    """One instance with this store, under load through all states."""
    rows: dict[str, dict[str, Any]] = {}
    async with _running(model, store) as load:
        over = False

        def endless() -> Iterator[Step]:
            for each in cycle(steps):
                if over:
                    return
                yield each

        load.state = BETWEEN
        asking = asyncio.ensure_future(load.run(endless(), plan.rate))
        await asyncio.sleep(2.0)  # the first requests load what later ones find loaded
        for name, action in states.items():
            load.state = BETWEEN
            if action is not None:
                await asyncio.to_thread(action)
            await asyncio.sleep(SETTLE)
            load.state = name
            await asyncio.sleep(plan.seconds - SETTLE)
            rows[name] = {"readyz": await _ready(load.roots[0])}
        over = True
        await asking
        if store:
            await asyncio.sleep(RECOVERY)
        metrics = await _metrics(load.roots[0])
    for name, row in rows.items():
        row.update(load.seen[name].data())
    seen = [one.data() for one in load.seen.values()]
    totals = {
        name: sum(one[name] for one in seen) for name in ("requests", "right", "untouched", "wrong", "lost")
    }
    kept = await asyncio.to_thread(_count, store) if store else 0
    return {**totals, "stored": kept, "states": rows, "metrics": metrics}


@asynccontextmanager
async def _running(model: Model, store: str) -> AsyncIterator[Load]:
    given = {
        "upstream": model.url,
        "controller": "always:recap",
        "keep_text": "true",
        "shutdown_timeout": "3",
    }
    with ExitStack() as stack:
        yield Load(await started(stack, 1, **given, **({"store": store} if store else {})))


def _bound(action: Callable[[PostgresServer], None] | None, server: PostgresServer) -> Action | None:
    return None if action is None else lambda: action(server)


def _count(store: str) -> int:
    with closing(Database(store)) as database:
        return database.count(Which())


async def _ready(root: str) -> dict[str, Any]:
    async with aiohttp.ClientSession() as session, session.get(f"{root}/readyz") as answer:
        return {"status": answer.status, **(await answer.json()).get("degraded", {})}


async def _metrics(root: str) -> dict[str, float]:
    """What the instance counted of traces."""
    async with aiohttp.ClientSession() as session, session.get(f"{root}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    rows = (line.rsplit(" ", 1) for line in lines if line.startswith("acr_trace") and "_created" not in line)
    return {name: float(value) for name, value in rows}
