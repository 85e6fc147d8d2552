"""Answers that are kept: given again, to the byte, for the same request only."""

import asyncio
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from acr_benchmarks import runner, store
from acr_benchmarks.memo import AGAIN, SECONDS, memo
from acr_benchmarks.runner import Plan

from acr.errors import BenchmarkError

REQUEST = {"model": "small", "messages": [{"role": "user", "content": "Hi"}], "seed": 1}


async def test_the_same_request_is_answered_once(server, tmp_path: Path) -> None:
    server.delay = 0.05
    async with memo(tmp_path / "memo.db", server.url, 10) as url, aiohttp.ClientSession() as session:

        async def ask(**changes: object) -> tuple[bytes, bool, float]:
            async with session.post(f"{url}/chat/completions", json=REQUEST | changes) as response:
                return await response.read(), AGAIN in response.headers, float(response.headers[SECONDS])

        together = await asyncio.gather(ask(), ask(), ask())
        assert len(server.requests) == 1
        assert len({body for body, _, _ in together}) == 1
        assert sorted(again for _, again, _ in together) == [False, True, True]
        assert all(seconds >= 0.05 for _, _, seconds in together)
        await ask(seed=2)
        assert len(server.requests) == 2


async def test_answers_outlive_the_run_and_failures_do_not(server, tmp_path: Path) -> None:
    async def ask(url: str) -> int:
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{url}/chat/completions", json=REQUEST) as response,
        ):
            return response.status

    path = tmp_path / "memo.db"
    async with memo(path, "http://127.0.0.1:9/v1", 10) as url:
        assert await ask(url) == 502
    async with memo(path, server.url, 10) as url:
        assert await ask(url) == 200
    async with memo(path, "http://127.0.0.1:9/v1", 10) as url:
        assert await ask(url) == 200
    assert len(server.requests) == 1


async def test_a_run_with_a_memo_is_the_run_without(server, data: Path, tmp_path: Path) -> None:
    plan = Plan(["math"], ["sharded", "recap"], tmp_path / "plain", server.url, data=data, pauses=())
    await runner.run(plan)
    asked = len(server.requests)
    kept = replace(plan, out=tmp_path / "kept", memo=tmp_path / "memo.db")
    await runner.run(kept)
    sharded_calls = 12
    assert len(server.requests) - asked == asked - sharded_calls

    def said(path: Path) -> dict[object, list[str]]:
        return {e.key: [turn.assistant for turn in e.turns] for e in store.episodes(path)}

    assert said(kept.out) == said(plan.out)
    assert store.manifest(kept.out)["sessions"][0]["memo"] is True


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "memo.db"
    path.write_text("not a database " * 100)
    with pytest.raises(BenchmarkError, match=r"memo\.db cannot keep answers"):
        async with memo(path, "http://127.0.0.1:9/v1", 10):
            pass
