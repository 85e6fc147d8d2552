import asyncio

import pytest

from acr.proxy.turnstile import Turnstile


async def test_those_that_come_together_go_one_each_round_in_order() -> None:
    turnstile, rounds, seen = Turnstile(), 0, []
    loop, over = asyncio.get_running_loop(), False

    def count() -> None:
        nonlocal rounds
        rounds += 1
        if not over:
            loop.call_soon(count)

    async def come(number: int) -> None:
        await turnstile.through()
        seen.append((number, rounds))

    loop.call_soon(count)
    await asyncio.gather(*map(come, range(20)))
    over = True
    assert [number for number, _ in seen] == list(range(20))
    assert len({when for _, when in seen}) == 20


async def test_one_alone_does_not_wait() -> None:
    turnstile = Turnstile()
    coroutine = turnstile.through()
    with pytest.raises(StopIteration):  # it ends at its first step
        coroutine.send(None)
    await asyncio.sleep(0)
    await turnstile.through()


async def test_who_goes_away_keeps_nobody_waiting() -> None:
    turnstile = Turnstile()
    tasks = [asyncio.create_task(turnstile.through()) for _ in range(3)]
    await tasks[0]
    tasks[1].cancel()
    async with asyncio.timeout(5):
        await tasks[2]
    assert tasks[1].cancelled()
    async with asyncio.timeout(5):
        await turnstile.through()
