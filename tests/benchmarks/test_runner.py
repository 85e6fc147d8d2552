"""Whole runs against a scripted server: resumable, bounded, seeded."""

import asyncio
import os
import random
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from acr_benchmarks import runner, store
from acr_benchmarks.runner import Plan

from acr.errors import BenchmarkError, ConfigError


@pytest.fixture
def plan(server, data: Path, tmp_path: Path) -> Plan:
    return Plan(
        tasks=["math"],
        settings=["full", "sharded"],
        out=tmp_path / "out",
        base_url=server.url,
        data=data,
        concurrency=3,
        pauses=(),
    )


async def test_every_episode_is_held_once(plan: Plan, server) -> None:
    result = await runner.run(replace(plan, runs=2))
    assert (result.finished, result.skipped, result.failed) == (16, 0, [])
    keys = [episode.key for episode in store.episodes(plan.out)]
    assert sorted(keys) == [
        ("math", f"item-{item}", setting, run)
        for item in range(4)
        for setting in ("full", "sharded")
        for run in range(2)
    ]
    assert len(server.requests) == 2 * (4 + 12)


async def test_concurrency_is_bounded(plan: Plan, server) -> None:
    server.delay = 0.02
    await runner.run(plan)
    assert 2 <= server.most <= 3


async def test_a_second_start_does_only_what_is_missing(plan: Plan, server) -> None:
    await runner.run(replace(plan, limit=2))
    before = len(server.requests)
    result = await runner.run(replace(plan, settings=["full", "sharded", "concat"], limit=3))
    assert (result.finished, result.skipped) == (5, 4)
    assert len(server.requests) - before == 2 * 1 + (1 + 3 + 1)
    assert len(store.manifest(plan.out)["sessions"]) == 2


async def test_the_same_seed_sends_the_same_requests(plan: Plan, server, tmp_path: Path) -> None:
    def sort(requests: list[dict]) -> list[str]:
        return sorted(map(repr, requests))

    await runner.run(plan)
    first, server.requests = sort(server.requests), []
    await runner.run(replace(plan, out=tmp_path / "again"))
    second, server.requests = sort(server.requests), []
    await runner.run(replace(plan, out=tmp_path / "other", seed=1))
    assert first == second != sort(server.requests)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"temperature": 0.1}, "temperature"),
        ({"max_tokens": 5}, "max_tokens"),
        ({"model": "other"}, "model"),
        ({"seed": 9}, "seed"),
        ({"user": "scripted"}, "user"),
    ],
)
async def test_a_directory_holds_one_kind_of_run(plan: Plan, change: dict, named: str) -> None:
    await runner.run(replace(plan, limit=1))
    with pytest.raises(BenchmarkError, match=f"was begun with {named}"):
        await runner.run(replace(plan, **change))


async def test_a_directory_holds_one_data_file(plan: Plan, data: Path) -> None:
    await runner.run(replace(plan, limit=1))
    other = data.read_text().replace("Two are added", "Three are added")  # noqa: ASYNC240
    data.write_text(other)  # noqa: ASYNC240
    with pytest.raises(BenchmarkError, match="other data for math"):
        await runner.run(plan)


async def test_ids_choose_and_order(plan: Plan) -> None:
    await runner.run(replace(plan, ids=["item-3", "item-1"], settings=["full"], concurrency=1))
    assert [episode.item for episode in store.episodes(plan.out)] == ["item-3", "item-1"]
    with pytest.raises(BenchmarkError, match="no item 'item-9'"):
        await runner.run(replace(plan, ids=["item-9"]))


async def test_unknown_names_are_refused_before_any_call(plan: Plan, server) -> None:
    for change in ({"settings": ["fulll"]}, {"tasks": ["maths"]}, {"user": "nobody"}):
        with pytest.raises(ConfigError):
            await runner.run(replace(plan, **change))
    assert server.requests == []


async def test_a_failed_episode_is_left_for_the_next_start(plan: Plan, server, make_completion) -> None:
    def handler(body: dict) -> object:
        broken = any("in 2?" in message["content"] for message in body["messages"])
        return (500, {"error": "no"}) if broken else make_completion("Answer: 18")

    server.handler = handler
    result = await runner.run(plan)
    assert result.failed == ["math/item-2/sharded/0"]
    assert result.finished == 7
    server.handler = lambda body: make_completion("Answer: 18")
    result = await runner.run(plan)
    assert (result.finished, result.skipped, result.failed) == (1, 7, [])


async def test_a_dead_server_ends_the_run(plan: Plan, server) -> None:
    server.handler = lambda body: (500, {"error": "dead"})
    with pytest.raises(BenchmarkError, match=r"in a row failed.*what is done is kept"):
        await runner.run(replace(plan, runs=3))


async def test_a_refusal_ends_the_run_at_once(plan: Plan, server) -> None:
    server.handler = lambda body: (401, {"error": "key"})
    with pytest.raises(BenchmarkError, match="refused the request, status 401"):
        await runner.run(plan)


async def test_progress_adds_up(plan: Plan, server) -> None:
    class Count(runner.Watcher):
        planned = called = left = held = 0

        def begin(self, calls: int, episodes: int, there: int) -> None:
            self.planned = calls

        def turn(self) -> None:
            self.called += 1

        def episode(self, episode: object, left: int) -> None:
            self.held += 1
            self.left += left

    watcher = Count()
    server.handler = lambda body: (
        (400, "exceed_context_size")
        if len(body["messages"]) > 4
        else {"choices": [{"message": {"content": "18"}}]}
    )
    await runner.run(plan, watcher)
    assert watcher.held == 8
    assert watcher.left == 0  # the call that found no room is a call too
    assert watcher.planned == watcher.called == 16


@pytest.mark.timeout(400)  # four processes, one after the other
@pytest.mark.parametrize("kept_answers", [False, True], ids=["plain", "memo"])
async def test_killed_in_mid_run_and_started_again(
    plan: Plan, server, wait_for, make_completion, tmp_path: Path, kept_answers: bool
) -> None:
    """Kill -9 twice at moments drawn anew each time; in the end every episode is there exactly once."""
    server.delay = 0.03
    server.handler = lambda body: make_completion("Answer: 18 " + "x" * 20_000)  # long lines: more to tear
    command = [
        sys.executable, "-m", "acr_benchmarks", "run", "--task", "math", "--runs", "3", "--out", str(plan.out),
        "--setting", "full,sharded,recap,acr:always:consolidate", "--data", str(plan.data),
        "--base-url", server.url, "--concurrency", "4",
        *(["--memo", str(tmp_path / "memo.db")] if kept_answers else []),
    ]  # fmt: skip
    drawn = random.SystemRandom()

    async def start() -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)

    kept, moments = 0, []
    for _ in range(2):
        process = await start()
        more, pause = drawn.randint(1, 25 if kept_answers else 50), drawn.uniform(0, 0.05)
        moments.append((more, pause))
        goal = len(server.requests) + more
        await wait_for(lambda goal=goal: len(server.requests) >= goal)
        await asyncio.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL, moments
        there = len(store.episodes(plan.out)) if (plan.out / store.EPISODES).exists() else 0
        assert kept <= there < 48, moments
        kept = there
    process = await start()
    _, output = await process.communicate()
    assert process.returncode == 0, output.decode()
    episodes = store.episodes(plan.out)
    assert len({episode.key for episode in episodes}) == len(episodes) == 48, moments
    if kept:
        assert f"{kept} were done before" in " ".join(output.decode().split()), moments
    assert all(turn.score is not None for episode in episodes for turn in episode.turns)
