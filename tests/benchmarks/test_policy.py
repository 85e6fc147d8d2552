"""A real proxy in front of the scripted server."""

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from acr_benchmarks import runner, store
from acr_benchmarks.policy import proxy
from acr_benchmarks.runner import Plan

from acr.errors import BenchmarkError


async def test_never_sends_what_sharded_sends(server, data: Path, tmp_path: Path) -> None:
    plan = Plan(["math"], ["sharded"], tmp_path / "a", server.url, data, limit=1, model="m", user="scripted")
    await runner.run(plan)
    direct, server.requests = server.requests, []
    await runner.run(replace(plan, settings=["acr:never"], out=tmp_path / "b"))
    assert server.requests == direct
    (episode,) = store.episodes(tmp_path / "b")
    assert not any(turn.intervened for turn in episode.turns)
    assert all(float(turn.acr["overhead-ms"]) >= 0 for turn in episode.turns)


async def test_an_intervention_is_recorded_with_what_the_model_saw(
    server, data: Path, tmp_path: Path, make_completion
) -> None:
    server.handler = lambda body: make_completion("Not enough information is given.")
    await runner.run(
        Plan(
            ["math"],
            ["acr:always:consolidate"],
            tmp_path,
            server.url,
            data,
            limit=2,
            model="m",
            user="scripted",
        )
    )
    for episode in store.episodes(tmp_path):
        turns = [turn for turn in episode.turns if turn.intervened]
        assert turns and turns[0].acr["operator"] == "consolidate"
        for turn in turns:
            assert turn.view is not None
            assert turn.view in [request["messages"] for request in server.requests]
            assert turn.signals


@pytest.mark.parametrize("kept", [False, True])
async def test_a_model_server_behind_acr_is_asked_to_leave_every_call_alone(
    server, data: Path, tmp_path: Path, make_completion, kept: bool
) -> None:
    """What the policy under test changes is its own; a call that was bypassed there would change nothing."""
    server.handler = lambda body: make_completion("Not enough information is given.")
    plan = Plan(
        ["math"],
        ["sharded", "acr:always:consolidate"],
        tmp_path,
        server.url,
        data,
        limit=1,
        model="m",
        user="scripted",
        memo=tmp_path / "memo.db" if kept else None,
    )
    await runner.run(plan)
    assert len(server.bypassed) > 3 and all(server.bypassed)
    through = [episode for episode in store.episodes(tmp_path) if episode.setting.startswith("acr:")]
    assert any(turn.intervened for episode in through for turn in episode.turns)


async def test_a_policy_that_does_not_exist_is_told(server, data: Path, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"acr:nonsense did not start: .*nonsense"):
        await runner.run(Plan(["math"], ["acr:nonsense"], tmp_path, server.url, data, limit=1))


async def test_the_proxy_ends_with_its_user(server, tmp_path: Path) -> None:
    async with proxy("never", server.url, tmp_path / "log") as url:
        assert await alive(url)
    assert not await alive(url)


async def test_the_proxy_does_not_outlive_a_killed_run(server, tmp_path: Path, wait_for) -> None:
    script = (
        "import asyncio, pathlib\n"
        "from acr_benchmarks.policy import proxy\n"
        "async def main():\n"
        f"    async with proxy('never', {server.url!r}, pathlib.Path({str(tmp_path / 'log')!r})) as url:\n"
        "        print(url, flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=subprocess.PIPE)
    assert process.stdout is not None
    url = (await process.stdout.readline()).decode().strip()
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    async with asyncio.timeout(100):
        while await alive(url):  # noqa: ASYNC110 - it is about another process
            await asyncio.sleep(0.05)


async def alive(url: str) -> bool:
    """Whether anything answers at that port."""
    async with aiohttp.ClientSession() as session:
        try:
            async with session.get(url.removesuffix("/v1") + "/livez") as response:
                return response.status == 200
        except aiohttp.ClientConnectionError:
            return False
