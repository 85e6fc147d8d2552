"""Control conversations as a task: one call each, scored by the answer."""

from dataclasses import replace
from pathlib import Path

import pytest
from acr_benchmarks import runner, store, task
from acr_benchmarks.controls import PATH
from acr_benchmarks.runner import Plan
from acr_benchmarks.tasks.controls import Controls

from acr.errors import BenchmarkError

ITEMS = {item.id: item for item in task.read(PATH, "controls")}


def test_answers_are_scored() -> None:
    made, item = Controls(), ITEMS["computed/tip-en"]
    assert made.score(item, "That makes 51.") == 1.0
    assert made.score(item, "That makes 510.") == 0.0
    assert made.score(item, "") == 0.0


async def test_a_conversation_is_sent_as_it_stands(server, tmp_path: Path, make_completion) -> None:
    server.handler = lambda body: make_completion("51")
    plan = Plan(
        ["controls"], ["direct", "acr:never"], tmp_path / "a", server.url, ids=["computed/tip-en"], model="m"
    )
    result = await runner.run(plan)
    assert result.finished == 2
    assert [request["messages"] for request in server.requests] == [
        ITEMS["computed/tip-en"].data["messages"]
    ] * 2
    assert [episode.score for episode in store.episodes(tmp_path / "a")] == [1.0, 1.0]


async def test_settings_that_do_not_apply_are_left_out(server, data: Path, tmp_path: Path) -> None:
    plan = Plan(["controls"], ["full", "sharded"], tmp_path / "a", server.url, limit=2, model="m")
    with pytest.raises(BenchmarkError, match="none of the settings full, sharded applies"):
        await runner.run(plan)
    both = replace(plan, settings=["full", "direct"], out=tmp_path / "b")
    assert (await runner.run(both)).finished == 2
    sharded = replace(plan, tasks=["math"], settings=["full", "direct"], data=data, out=tmp_path / "c")
    assert (await runner.run(sharded)).finished == 2
