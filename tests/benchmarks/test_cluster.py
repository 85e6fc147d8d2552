"""The benchmark on a real Ray cluster of two workers on this machine, and what it does without Ray."""

import asyncio
import os
import signal
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from acr_benchmarks import cluster, runner, store
from acr_benchmarks.runner import Plan

from acr.errors import BenchmarkError, ConfigError, UpstreamError

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install '.[ray]'")
SETTINGS = "full,sharded,acr:always:drop_answers"


def command(server, data: Path, out: Path, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "acr_benchmarks", "run", "--task", "math", "--setting", SETTINGS, "--runs", "2",
        "--out", str(out), "--data", str(data), "--base-url", server.url, "--model", "m",
        "--concurrency", "4", "--user", "scripted", *more,
    ]  # fmt: skip


async def start(arguments: list[str]) -> asyncio.subprocess.Process:
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    environment.pop("RAY_ADDRESS", None)
    return await asyncio.create_subprocess_exec(
        *arguments, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )


async def finished(arguments: list[str]) -> str:
    process = await start(arguments)
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return " ".join(output.decode().split())


@needs_ray
@pytest.mark.timeout(400)
async def test_both_engines_hold_the_same_conversations(server, data: Path, tmp_path: Path) -> None:
    await finished(command(server, data, tmp_path / "local"))
    local, server.requests = server.requests, []
    memo = tmp_path / "memo.db"
    await finished(command(server, data, tmp_path / "ray", "--engine", "ray", "--memo", str(memo)))
    assert Counter(map(repr, server.requests)).keys() == Counter(map(repr, local)).keys()

    def told(out: Path) -> dict[object, list[tuple[str, str | None]]]:
        return {e.key: [(turn.user, turn.answer) for turn in e.turns] for e in store.episodes(out)}

    assert told(tmp_path / "ray") == told(tmp_path / "local")
    assert len(told(tmp_path / "ray")) == 24
    episodes = store.episodes(tmp_path / "ray")
    assert any(turn.intervened and turn.view for e in episodes for turn in e.turns)
    assert store.manifest(tmp_path / "ray")["sessions"][0]["engine"] == "ray"


@needs_ray
@pytest.mark.timeout(400)
async def test_killed_and_continued_with_either_engine(
    server, data: Path, tmp_path: Path, wait_for, make_completion
) -> None:
    """Kill -9 the process that writes while its workers work; nothing is lost, nothing is there twice."""
    server.delay = 0.1
    server.handler = lambda body: make_completion("Answer: 18 " + "x" * 5_000)
    out = tmp_path / "out"
    process = await start(command(server, data, out, "--engine", "ray"))
    await wait_for(lambda: (out / store.EPISODES).exists() and len(store.episodes(out)) >= 5)
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    kept = len(store.episodes(out))
    assert 5 <= kept < 24
    if kept % 2:
        output = await finished(command(server, data, out))
    else:
        output = await finished(command(server, data, out, "--engine", "ray"))
    assert f"{kept} were done before" in output
    assert len(store.episodes(out)) == 24


@needs_ray
@pytest.mark.timeout(400)
async def test_a_policy_that_does_not_exist_is_told(server, data: Path, tmp_path: Path) -> None:
    process = await start([*command(server, data, tmp_path, "--engine", "ray", "--setting", "acr:nonsense")])
    output, _ = await process.communicate()
    assert process.returncode == 1
    text = " ".join(output.decode().split())
    assert "acr:nonsense did not start" in text and "Traceback" not in text


async def test_without_ray_it_says_what_to_install(
    server, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan = Plan(["math"], ["full"], tmp_path, server.url, data, model="m", engine="ray")
    with pytest.raises(BenchmarkError, match=r"pip install 'adaptive-context-refactoring\[ray\]'"):
        await runner.run(plan)
    with pytest.raises(ConfigError, match="known: local, ray"):
        await runner.run(replace(plan, engine="dask"))
    assert server.requests == []


async def test_failures_cross_the_cluster_as_what_they_are() -> None:
    async def failing(error: Exception) -> str:
        raise error

    for error in (UpstreamError("gone"), BenchmarkError("refused")):
        with pytest.raises(type(error), match=str(error)):
            cluster.result(await cluster.told(failing(error)))
    with pytest.raises(ZeroDivisionError):
        await cluster.told(failing(ZeroDivisionError()))

    async def fine() -> str:
        return "text"

    assert cluster.result(await cluster.told(fine())) == "text"
