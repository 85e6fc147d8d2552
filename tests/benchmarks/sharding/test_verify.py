"""The rule that keeps or drops shards, by hand."""

import pytest
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.sharding.verify import FORMS, Sampling, attempt, verdict
from acr_benchmarks.task import Item
from acr_benchmarks.tasks.math import Math


@pytest.mark.parametrize(
    ("full", "concat", "shuffled", "kept"),
    [
        ([1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [1, 1, 1, 1, 0], True),  # 80% is enough
        ([1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1], False),
        ([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 0, 0], False),
        ([1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 1, 1, 1, 1], True),
        ([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], False),  # 0 ≥ 0.8 · 0 shows nothing
        ([0.5, 0.5], [0.4, 0.4], [0.4, 0.5], True),
    ],
)
def test_the_rule(full: list[float], concat: list[float], shuffled: list[float], kept: bool) -> None:
    verified, said = verdict({"full": full, "concat": concat, "shuffle_concat": shuffled})
    assert verified is kept
    assert said.startswith("verified") is kept
    assert "FULL" in said and "SHUFFLE-CONCAT" in said and f"{len(full)} runs" in said


async def test_each_form_says_what_it_should(server, item: Item, make_completion) -> None:
    server.handler = lambda body: make_completion("Answer: 18" if "Whole" in str(body) else "no idea")
    endpoint = Endpoint(server.url, "m", pauses=())
    for form in FORMS:
        scored = [await attempt(Math(), item, form, run, endpoint, Sampling(0.5, 7)) for run in range(6)]
        assert scored == [float(form == "full")] * 6
    said = [body["messages"][1]["content"] for body in server.requests]
    assert said[0] == "Whole question 0?"
    concat, shuffled = set(said[6:12]), set(said[12:])
    assert len(concat) == 1 < len(shuffled)
    assert {tuple(sorted(text.splitlines())) for text in concat | shuffled} == {
        tuple(sorted(said[6].splitlines()))
    }
    assert {(body["temperature"], body["max_tokens"]) for body in server.requests} == {(0.5, 7)}
    assert [body["seed"] for body in server.requests[:6]] == list(range(6))
