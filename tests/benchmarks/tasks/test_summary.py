"""Summaries: with a judge and without, and what the two are called."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from acr_benchmarks import task
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.soundness import problems
from acr_benchmarks.task import Item
from acr_benchmarks.tasks import summary
from acr_benchmarks.tasks.summary import Summary

from acr.errors import BenchmarkError, UpstreamError

PATH = Summary().path()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Summary:
    monkeypatch.delenv("BENCH_JUDGE_URL", raising=False)
    return Summary()


def items(path: Path = PATH) -> list[Item]:
    return task.items(Summary(), path, "summary")


ITEMS = items()
ITEM = ITEMS[0]


def written(item: Item, cited: Callable[[list[int]], list[int]] = list) -> str:
    """A perfect summary, with its citations changed by `cited`."""
    sources = item.data["insightid2ref_citations"]
    return "\n".join(
        f"- {row['insight']} {cited(sources[row['insight_id']])}" for row in item.data["insights"]
    )


def test_without_a_judge_the_score_has_another_name(made: Summary, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (made.name, made.facts()) == ("summary-citations", {"judge": "none"})
    monkeypatch.setenv("BENCH_JUDGE_URL", "http://127.0.0.1:9/v1/")
    monkeypatch.setenv("BENCH_JUDGE_MODEL", "judge-1")
    judged = Summary()
    assert (judged.name, judged.facts()) == ("summary", {"judge": "judge-1"})
    assert judged.judge is not None and judged.judge.base_url == "http://127.0.0.1:9/v1"


def test_without_a_judge(made: Summary) -> None:
    assert made.score(ITEM, written(ITEM)) == 1.0
    assert made.score(ITEM, written(ITEM, lambda _: list(range(1, 9)))) < 0.5
    assert made.score(ITEM, written(ITEM, lambda _: [])) == 0.0
    assert made.score(ITEM, "There is nothing to say.") == 0.0
    assert made.score(ITEM, made.full(ITEM)) < 0.5, "the documents themselves are no summary"
    assert made.score(ITEM, f"{made.system(ITEM)} [1, 4]") == 0.0
    assert made.extract(ITEM, " \n") is None


def verdicts(body: dict) -> str:
    """A judge that knows its insights: full coverage by the bullet that holds the finding's words."""
    finding, _, listed = body["messages"][-1]["content"].partition("\n\nBullets:\n")
    finding = finding.removeprefix("Finding: ")
    for line in listed.splitlines():
        number, _, text = line.partition(". ")
        if text == finding:
            return json.dumps({"coverage": "FULL_COVERAGE", "bullet_id": int(number)})
    return 'None of them. {"coverage": "NO_COVERAGE", "bullet_id": null}'


async def test_with_a_judge(server, make_completion) -> None:
    server.handler = lambda body: make_completion(verdicts(body))
    judge = Endpoint(server.url, "judge-1", pauses=())
    wanted = summary.haystack.insights(ITEM)

    async def score(text: str) -> float:
        return await summary.judged(judge, summary.haystack.bullets(text), wanted)

    assert await score(written(ITEM)) == 1.0
    assert len(server.requests) == len(wanted)
    assert all(request["temperature"] == 0.0 for request in server.requests)
    assert await score("\n".join(written(ITEM).splitlines()[:2])) == pytest.approx(2 / 5)
    assert await score(written(ITEM, lambda rows: rows[:1])) < 0.7
    assert server.most <= summary.AT_ONCE


async def test_a_judge_that_gives_no_verdict_is_an_error_not_a_zero(server, make_completion) -> None:
    server.handler = lambda body: make_completion("I would say it is fine.")
    with pytest.raises(UpstreamError, match="gives no verdict"):
        await summary.judged(
            Endpoint(server.url, "judge-1", pauses=()),
            summary.haystack.bullets("- x [1]"),
            summary.haystack.insights(ITEM)[:1],
        )
    assert len(server.requests) == 2


def test_an_empty_summary_needs_no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_JUDGE_URL", "http://127.0.0.1:9/v1")
    assert Summary().score(ITEM, "[1, 2]") == 0.0


def test_pieces_hand_over_the_documents_that_they_name(made: Summary) -> None:
    every = summary.haystack.documents(ITEM)
    handed = [shard.text.count("Document [") for shard in ITEM.shards]
    assert sum(handed) == len(every)
    assert ITEM.text("query") in ITEM.shards[0].text and ITEM.text("query") not in ITEM.shards[1].text
    said = made.concat(ITEM, [shard.text for shard in ITEM.shards])
    assert said == made.full(ITEM)


RELEASE = {
    "task_id": "sharded_summary_0",
    "task": "summary",
    "topic_id": "news1",
    "topic": "A topic",
    "subtopic_id": "s1",
    "domain": "news",
    "query": "What is {known}?",
    "documents": [
        {"document_id": f"d{n}", "document_index": n, "document_text": f"Text {n}.", "insights_included": []}
        for n in (3, 8, 21, 40)
    ],
    "insights": [{"insight_id": "i1", "insight_name": "n", "insight": "Pigs can fly."}],
    "insightid2ref_citations": {"i1": [3, 40]},
    "shards": [
        {"shard_id": 0, "shard": "", "doc_idxs": [21, 3]},
        {"shard_id": 1, "shard": "", "doc_idxs": [40, 8]},
    ],
}


def test_items_of_the_release_load_unchanged(made: Summary, tmp_path: Path) -> None:
    """Ids from 0, shards without text, documents numbered as in their topic."""
    path = tmp_path / "sharded_instructions_600.json"
    path.write_text(json.dumps([RELEASE]), encoding="utf-8")
    (item,) = items(path)
    assert [shard.id for shard in item.shards] == [0, 1]
    assert "What is {known}?" in item.shards[0].text
    assert item.shards[1].text.endswith("Document [40]:\nText 40.\n\nDocument [8]:\nText 8.")
    assert made.score(item, "- Pigs can fly. [3, 40]") == 1.0


@pytest.mark.parametrize(
    "change",
    [{"documents": [{}]}, {"shards": [{"shard_id": 0, "shard": "", "doc_idxs": [99]}]},
     {"shards": [{"shard_id": 0, "shard": ""}]}, {"documents": None}],
)  # fmt: skip
def test_broken_items_are_named(change: dict, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text(json.dumps([RELEASE | change]), encoding="utf-8")
    with pytest.raises(BenchmarkError, match="sharded_summary_0"):
        items(path)


@pytest.mark.parametrize(
    "change", [{"insights": []}, {"insightid2ref_citations": {}}, {"insights": [{"insight_id": "i1"}]}]
)
def test_items_that_cannot_be_scored_are_named(made: Summary, change: dict) -> None:
    with pytest.raises(BenchmarkError, match="'e'"):
        made.score(Item("e", "summary", ITEM.shards, RELEASE | change), "- x [1]")


def test_there_are_enough_built_in_items() -> None:
    assert len(ITEMS) >= 15


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_built_in_items_are_sound(made: Summary, item: Item) -> None:
    assert list(problems(item, made.full(item))) == []
    assert made.score(item, written(item)) == 1.0
    sources = item.data["insightid2ref_citations"]
    included: dict[str, list[int]] = {}
    for row in item.data["documents"]:
        for insight in row["insights_included"]:
            included.setdefault(insight, []).append(row["document_index"])
    assert included == sources, "every document holds the insights that cite it"
    assert all(2 <= len(rows) <= 3 for rows in sources.values())
    named = [number for row in item.data["shards"] for number in row["doc_idxs"]]
    assert sorted(named) == sorted(summary.haystack.documents(item))
