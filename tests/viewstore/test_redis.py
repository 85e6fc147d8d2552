"""Views in a real redis-server: shared, sealed, and nobody's problem when it is away."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from acr_benchmarks.reliability.redis_server import RedisServer

from acr.viewstore import MAX_VALUE, Seal

pytest.importorskip("redis", reason="the client of the extra 'redis' is not installed")

from acr.viewstore.redis import PREFIX, Redis

SEAL = Seal(b"a secret")
KEY, OTHER = SEAL.key(b"", "m", b"1"), SEAL.key(b"", "m", b"2")
LIMIT = 0.25
"""Seconds: a loaded machine may need more than the default for a healthy server."""


@pytest.fixture
async def instances(server: RedisServer) -> AsyncIterator[tuple[Redis, Redis]]:
    made = Redis(server.url, SEAL, limit=LIMIT), Redis(server.url, SEAL, limit=LIMIT)
    yield made
    for each in made:
        await each.close()


async def until(check: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not await check():
        assert time.monotonic() < end, "it never came"
        await asyncio.sleep(0.05)


async def shared(one: Redis, other: Redis, key: bytes, value: bytes) -> None:
    """Keep a value at one instance, and wait until another sees it."""

    async def seen() -> bool:
        return (await other.fetch([key])).values == [value]

    one.keep(key, value)
    await until(seen)


async def test_what_one_keeps_another_finds(instances: tuple[Redis, Redis]) -> None:
    one, other = instances
    await shared(one, other, KEY, b"view")
    found = await other.fetch([OTHER, KEY])
    assert found.values == [None, b"view"] and found.told == "hit"
    assert other.counts.looks["hit"] >= 1 and other.up and await other.trouble() is None


async def test_a_value_of_another_key_secret_or_size_is_none(
    instances: tuple[Redis, Redis], server: RedisServer
) -> None:
    one, other = instances
    await shared(one, other, KEY, b"view")
    fresh = Redis(server.url, SEAL, limit=LIMIT)
    stranger = Redis(server.url, Seal(b"another"), limit=LIMIT)
    try:
        server.command("COPY", PREFIX + KEY.hex(), PREFIX + OTHER.hex())
        assert (await fresh.fetch([OTHER])).values == [None]
        assert (await stranger.fetch([KEY])).values == [None]
        server.command("SET", PREFIX + KEY.hex(), "x" * (4 * MAX_VALUE))
        assert (await fresh.fetch([KEY])).values == [None]
        server.command("LPUSH", PREFIX + SEAL.key(b"", "m", b"3").hex(), "a list")
        assert (await fresh.fetch([SEAL.key(b"", "m", b"3")])).values == [None]
        assert fresh.counts.looks["invalid"] == 3 and fresh.up
        assert (await one.fetch([KEY])).values == [b"view"], "who made it still has it"
        await until(lambda: _finds(fresh, KEY, b"view"))  # and has put it back
    finally:
        await fresh.close()
        await stranger.close()


async def _finds(store: Redis, key: bytes, value: bytes) -> bool:
    return (await store.fetch([key])).values == [value]


async def test_a_dead_server_costs_next_to_nothing_and_comes_back(
    instances: tuple[Redis, Redis], server: RedisServer
) -> None:
    one, other = instances
    await shared(one, other, KEY, b"view")
    server.kill()
    assert (await one.fetch([KEY])).values == [b"view"]
    start = time.monotonic()
    for _ in range(200):
        assert (await one.fetch([KEY, OTHER])).values == [b"view", None]
    assert time.monotonic() - start < 200 * LIMIT / 10
    found = await one.fetch([KEY])
    assert found.told.startswith("hit here: ") and found.told.endswith("Error") and not one.up
    assert "cannot be asked" in str(await one.trouble())
    one.keep(OTHER, b"made meanwhile")
    server.start()

    async def healed() -> bool:
        return await one.trouble() is None

    await until(healed)
    assert (await one.fetch([KEY, OTHER])).values == [b"view", b"made meanwhile"]
    await until(lambda: _finds(other, OTHER, b"made meanwhile"))  # refilled by use


async def test_a_paused_server_costs_one_limit(instances: tuple[Redis, Redis], server: RedisServer) -> None:
    one, other = instances
    await shared(one, other, KEY, b"view")
    server.pause()
    try:
        start = time.monotonic()
        together = await asyncio.gather(*(one.fetch([KEY]) for _ in range(100)))
        assert {found.values[0] for found in together} == {b"view"}
        first = time.monotonic() - start
        for _ in range(100):
            assert (await one.fetch([KEY])).values == [b"view"]
        assert first < 20 * LIMIT and time.monotonic() - start - first < 100 * LIMIT / 10
        assert one.counts.faults["TimeoutError"] >= 1 and not one.up
    finally:
        server.resume()

    async def asked_again() -> bool:
        return (await one.fetch([KEY])).told == "hit"

    await until(asked_again)  # without anybody asking /readyz


async def test_a_full_server_is_read_and_not_written(
    instances: tuple[Redis, Redis], server: RedisServer
) -> None:
    one, other = instances
    await shared(one, other, KEY, b"view")
    server.fill()
    assert "takes no more (OutOfMemoryError)" in str(await one.trouble())
    one.keep(OTHER, b"new")
    assert (await one.fetch([KEY, OTHER])).values == [b"view", b"new"]
    assert (await other.fetch([KEY, OTHER])).values == [b"view", None]
    assert not one.up and one.line.fault == "" and one.counts.writes["skipped"] >= 1
    server.empty()

    async def healed() -> bool:
        return await one.trouble() is None

    await until(healed)
    await shared(one, other, OTHER, b"newer")


async def test_views_expire_there_too(server: RedisServer) -> None:
    store = Redis(server.url, SEAL, limit=LIMIT, ttl=5.0)
    try:
        store.keep(KEY, b"view")
        await until(lambda: _finds(store, KEY, b"view"))

        async def written() -> bool:
            return server.command("PTTL", PREFIX + KEY.hex()) > b":0"

        await until(written)
        assert 0 < int(server.command("PTTL", PREFIX + KEY.hex())[1:]) <= 5000
    finally:
        await store.close()


async def test_calls_cut_short_never_mix_up_replies(
    instances: tuple[Redis, Redis], server: RedisServer
) -> None:
    """The leak of other proxies: a cancelled call leaves its reply for the next one to read."""
    one, other = instances
    await shared(one, other, KEY, b"first")
    await shared(one, other, OTHER, b"second")
    for number in range(60):
        cut = asyncio.ensure_future(other.fetch([KEY]))
        await asyncio.sleep(0 if number % 2 else 0.0005)
        cut.cancel()
        assert (await other.fetch([OTHER])).values == [b"second"]
    assert other.counts.looks["invalid"] == 0
