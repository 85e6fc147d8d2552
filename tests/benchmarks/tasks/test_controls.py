"""Control conversations as a task: one call each, scored by the answer."""

from dataclasses import replace
from pathlib import Path

import pytest
from acr_benchmarks import runner, store, task
from acr_benchmarks.controls import PATH
from acr_benchmarks.runner import Plan
from acr_benchmarks.task import Item
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


def everything(item: Item) -> str:
    return "\n".join(message["content"] for message in item.data["messages"])


def cheats(item: Item) -> dict[str, str]:
    """Answers that show nothing."""
    messages = item.data["messages"]
    return {
        "the conversation": everything(item),
        "numbers": " ".join(map(str, range(2000))),
        "the right answer among numbers": item.data["good"] + " " + " ".join(map(str, range(200))),
        "the question": messages[-1]["content"],
        "nothing": " ",
        "a refusal": "I cannot help with that.",
        "unicode digits": "٥١ ५१ 五十一 ⑤①",
        "very long": "word " * 10_000,
    }


ECHO = {"prohibition/very-en"}
"""Its right answer leaves something out that the short question leaves out too."""


@pytest.mark.parametrize("item", ITEMS.values(), ids=lambda item: item.id)
def test_rewards_cannot_be_hacked(item: Item) -> None:
    made = Controls()
    passed = {name for name, answer in cheats(item).items() if made.score(item, answer) == 1.0}
    assert passed == ({"the question"} if item.id in ECHO else set())


def test_a_right_answer_with_the_wrong_one_beside_it_is_none() -> None:
    made = Controls()
    both = {
        id: f"{item.data['good']}\n{item.data['bad']}"
        for id, item in ITEMS.items()
        if len(item.data["bad"]) >= 12
    }
    passed = [id for id, answer in both.items() if made.score(ITEMS[id], answer) == 1.0]
    assert len(passed) <= 3, passed  # there the wrong answer is what the conversation itself says
    assert made.score(ITEMS["computed/pick-en"], "60 − 18 = 42, so 42.") == 1.0, "a step on the way"
