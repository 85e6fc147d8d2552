"""The trivial baseline: that it does what it says, and that the controls catch it."""

from pathlib import Path

import pytest
from acr_benchmarks import baselines, controls, runner, store
from acr_benchmarks.runner import Plan
from acr_benchmarks.settings import parse

from acr import registry
from acr.engine import Engine
from acr.errors import ConfigError
from acr.testing import talk


async def test_all_answers_go_and_the_users_words_stay() -> None:
    before = talk("Write a tagline.", "Bread is life.", "Shorter.", "Bread.", "Now in German.", system="s")
    engine = Engine(registry.controller("always:drop_answers"), baselines.operators())
    after = (await engine.run(before)).conversation
    assert [(turn.role, turn.text) for turn in after] == [
        ("system", "s"),
        ("user", "Write a tagline. Shorter. Now in German."),
    ]


async def test_the_controls_catch_it() -> None:
    engine = Engine(registry.controller("always:drop_answers"), baselines.operators())
    counts = controls.counts(await controls.examine(controls.load(), engine))
    assert counts["changed"] > 90 and counts["harmed"] > 40 and counts["failed"] == 0


def test_no_request_can_name_it() -> None:
    assert "drop_answers" not in registry.operators()
    with pytest.raises(ConfigError, match="known: "):
        registry.operator("drop_answers")
    assert baselines.operator("drop_answers").name == "drop_answers"
    assert baselines.operator("recap").name == "recap"


async def test_as_a_policy_it_sends_what_concat_would(server, data: Path, tmp_path: Path) -> None:
    plan = Plan(
        ["math"], ["acr:always:drop_answers"], tmp_path, server.url, data, limit=1, model="m", user="scripted"
    )
    await runner.run(plan)
    last = server.requests[-1]["messages"]
    assert [message["role"] for message in last] == ["system", "user"]
    assert last[1]["content"] == "How many in 0? There are 16 at first. Two are added."
    (episode,) = store.episodes(tmp_path)
    assert episode.turns[-1].view == last


async def test_the_entropy_policy_asks_for_logprobs_and_no_other_does(
    server, data: Path, tmp_path: Path, make_completion
) -> None:
    server.handler = lambda body: make_completion(
        f"Let's assume 5, so 5 + {len(body['messages'])} = 9. Answer: 9",
        logprobs={"content": [{"top_logprobs": [{"logprob": -0.7}] * (1 + len(body["messages"]))}]},
    )
    names = ["acr:entropy:0.2:drop_answers", "acr:never"]
    assert [bool(parse(name).extra) for name in names] == [True, False]
    await runner.run(Plan(["math"], names, tmp_path, server.url, data, limit=1, model="m", user="scripted"))
    assert {request.get("top_logprobs") for request in server.requests} == {20, None}
    by_setting = {episode.setting: episode for episode in store.episodes(tmp_path)}
    reasons = [turn.acr["reason"] for turn in by_setting["acr:entropy:0.2:drop_answers"].turns]
    assert reasons[0] == "single turn"
    assert reasons[1] == "the entropy of one answer only is known"
    assert reasons[2] == "entropy rose by 0.51 nats from one answer to the next"
