import asyncio
import gc

from acr.proxy import background


async def test_a_task_is_held_until_it_is_done() -> None:
    done = asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0.01)
        done.set()

    background.spawn(work())
    gc.collect()
    await asyncio.wait_for(done.wait(), 10)
    await asyncio.sleep(0)
    assert not background._running
