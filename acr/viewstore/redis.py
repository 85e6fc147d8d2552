"""Views in Redis, shared by workers and hosts, with this process's memory beside it.

Redis is asked first, so that all instances go on from the same view. It gets one short time limit, and
whatever goes wrong there (away, silent, slow, full, wrong values) ends in the memory of this process or in
nothing found. Writes wait for nobody and are waited for by nobody.

A reply that belongs to another question is possible with any pipelined protocol where calls are cancelled,
and has leaked conversations elsewhere; each value is therefore sealed to its key.
"""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from time import perf_counter
from typing import Any

from redis.asyncio import BlockingConnectionPool
from redis.asyncio import Redis as Client
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError, ResponseError

from acr.viewstore.breaker import Breaker
from acr.viewstore.core import MAX_VALUE, Counts, Found
from acr.viewstore.memory import TTL, Memory
from acr.viewstore.seal import Seal

PREFIX = "acr:view:"
PROBE, PROBED = "acr:probe", bytes(4096)
"""Written to see whether Redis takes anything; as long as views are, as a full one may still take less."""
LIMIT = 0.05
"""Seconds that one exchange with Redis may take."""
CONNECTIONS = 32
WAITING = 256
"""Writes under way at once; further views stay in this process's memory."""

log = logging.getLogger("acr.views")


class Redis:
    """A store that others share. Every failure of Redis is counted, logged once, and passed over."""

    name = "redis"

    def __init__(self, url: str, seal: Seal, *, limit: float = LIMIT, ttl: float = TTL) -> None:
        self.limit = limit
        self.ttl = ttl
        self.memory = Memory(ttl)
        self.counts = Counts()
        self.line = Breaker()
        """Open where Redis cannot be asked."""
        self.room = Breaker()
        """Open where it can be asked and refuses to be written to: full, read-only, not allowed."""
        self._seal = seal
        self._writing: set[asyncio.Task[None]] = set()
        self._asking: set[asyncio.Future[Any]] = set()
        self._pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=None,
            socket_timeout=4 * limit,  # `_within` is sooner
            socket_connect_timeout=4 * limit,
            # once more, at once: a connection of the pool may have gone stale
            retry=Retry(NoBackoff(), 1, supported_errors=(ConnectionError,)),
        )
        self._client: Client = Client(connection_pool=self._pool)

    @property
    def up(self) -> bool:
        return not (self.line.fault or self.room.fault)

    async def fetch(self, keys: Sequence[bytes]) -> Found:
        replies = await self._read(keys)
        values: list[bytes | None] = []
        for key, reply in zip(keys, replies or [None] * len(keys), strict=True):
            value = self._seal.open(key, reply) if isinstance(reply, bytes) else None
            known = self.memory.get(key)
            if value is not None:
                self.memory.keep(key, value)
                result = "hit"
            else:
                result = "invalid" if reply else "miss" if known is None else "here"
                if known is not None and replies is not None:  # restarted, or pushed out: others need it too
                    self._spawn_write(key, known)
            self.counts.looks[result] += 1
            values.append(known if value is None else value)
        told = "hit" if any(value is not None for value in values) else "miss"
        return Found(values, told if replies is not None else f"{told} here: {self.line.fault}")

    def keep(self, key: bytes, value: bytes) -> None:
        if len(value) > MAX_VALUE:
            self.counts.writes["too_large"] += 1
            return
        self.memory.keep(key, value)
        self._spawn_write(key, value)

    async def trouble(self) -> str | None:
        """Try to write to Redis: that shows whether it is there, and whether it takes anything."""
        await self._write(PROBE, PROBED)
        if self.line.fault:
            return f"redis cannot be asked ({self.line.fault}): this process remembers for itself"
        if self.room.fault:
            return f"redis takes no more ({self.room.fault}): new views stay in this process"
        return None

    async def close(self) -> None:
        under_way = [*self._writing, *self._asking]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self._client.aclose()
        await self._pool.disconnect()

    async def _read(self, keys: Sequence[bytes]) -> list[Any] | None:
        """Redis's replies, empty where it has nothing, or None if it could not be asked. While it is away,
        none waits, and one look in each pause has it tried again behind.
        """
        if self.line.fault:
            if self.line.due:
                self._spawn(self._write(PROBE, PROBED))
            return None
        pipeline = self._client.pipeline(transaction=False)
        for key in keys:
            pipeline.getrange(PREFIX + key.hex(), 0, MAX_VALUE + 64)  # bounds what a foreign value costs
        begun = perf_counter()
        try:
            return list(await self._within(pipeline.execute(raise_on_error=False)))
        except (RedisError, OSError, TimeoutError) as error:
            self._failed(self.line, error)
            return None
        finally:
            self._spent("read", begun)

    def _spawn_write(self, key: bytes, value: bytes) -> None:
        if len(self._writing) >= WAITING or not (self.line.due and self.room.due):
            self.counts.writes["skipped"] += 1
            return
        self._spawn(self._write(PREFIX + key.hex(), self._seal.close(key, value)))

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _write(self, name: str, value: bytes) -> None:
        begun = perf_counter()
        try:
            await self._within(self._client.set(name, value, px=max(1, int(self.ttl * 1000))))
        except ResponseError as error:
            self._works(self.line)
            self._failed(self.room, error)
        except (RedisError, OSError, TimeoutError) as error:
            self._failed(self.line, error)
        else:
            self._works(self.line)
            self._works(self.room)
            self.counts.writes["kept"] += name != PROBE
            return
        finally:
            self._spent("write", begun)
        self.counts.writes["failed"] += name != PROBE

    async def _within(self, work: Awaitable[Any]) -> Any:
        """What comes of it within the limit. Raises `TimeoutError`.

        A timer that goes off late tells that this loop was held up, and of Redis nothing: its reply may lie
        there unread. Then it gets one limit more.
        """
        loop = asyncio.get_running_loop()
        task, begun = asyncio.ensure_future(work), loop.time()
        self._asking.add(task)
        task.add_done_callback(self._asked)
        try:
            done, _ = await asyncio.wait({task}, timeout=self.limit)
            if not done and loop.time() - begun > 1.5 * self.limit:
                done, _ = await asyncio.wait({task}, timeout=self.limit)
        finally:
            task.cancel()  # of a task that is done, this is nothing
        if not done:
            raise TimeoutError
        return task.result()

    def _asked(self, task: asyncio.Future[Any]) -> None:
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()  # is told by `_within`, or was too late for anybody

    def _spent(self, what: str, begun: float) -> None:
        self.counts.seconds[what] += perf_counter() - begun
        self.counts.exchanges[what] += 1

    def _failed(self, breaker: Breaker, error: Exception) -> None:
        kind = type(error).__name__
        self.counts.faults[kind] += 1
        if not breaker.fault:
            log.warning("redis: %s; views stay in this process until it works again", kind)
        breaker.trip(kind)

    def _works(self, breaker: Breaker) -> None:
        if breaker.fault:
            breaker.close()
            log.warning("redis works again")
