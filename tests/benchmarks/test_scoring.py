"""From answers to scores: partial ones, the protocol's early stop, the last answer, types of responses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from acr_benchmarks import figures, runner, settings, store, users
from acr_benchmarks.client import Reply
from acr_benchmarks.episode import Job, play
from acr_benchmarks.records import Episode, TurnRecord, scores
from acr_benchmarks.task import Answer, Item
from acr_benchmarks.tasks.math import Math


@dataclass
class Graded(Math):
    """Answers are scores themselves."""

    scored: list[str] = field(default_factory=list)

    def extract(self, item: Item, response: str) -> Answer | None:
        return Answer(response) if response else None

    def score(self, item: Item, answer: str) -> float:
        self.scored.append(answer)
        return float(answer)


@dataclass
class GradedLast(Graded):
    last_only: bool = True

    def facts(self) -> dict[str, str]:
        return {"judge": "judge-1"}


async def held(item: Item, task: Any, *replies: str | Reply, setting: str = "sharded") -> Episode:
    left = iter(replies)

    async def complete(messages: Sequence[Any], seed: int) -> Reply:
        reply = next(left)
        return reply if isinstance(reply, Reply) else Reply(reply, "stop", 10, 5)

    client: Any = SimpleNamespace(complete=complete, temperature=0.7, max_tokens=9)
    return await play(Job(task, item, settings.parse(setting), 0, 0, users.make("scripted", "0")), client)


def turns(*given: float | None) -> list[TurnRecord]:
    return [TurnRecord(user="u", score=score) for score in given]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), (0.0, None, 0.0)),
        ((None, None), (0.0, None, 0.0)),  # never attempted counts as 0
        ((0.0, 1.0, 0.0), (0.0, 1, 1.0)),  # the protocol stops at the first right answer, ours goes on
        ((0.0, 1.0, None), (1.0, 1, 1.0)),  # a last turn without an answer leaves the one before standing
        ((0.3, 0.8, 0.5), (0.5, None, 0.5)),  # partial scores: nothing is right, so the last one counts
        ((0.3, 1.0, 0.5), (0.5, 1, 1.0)),
        ((0.999999,), (0.999999, None, 0.999999)),
    ],
)
def test_last_answer_and_protocol(given: tuple, expected: tuple) -> None:
    assert scores(turns(*given)) == expected


async def test_partial_scores_reach_the_report(item: Item, manifest: dict) -> None:
    episodes = []
    for setting, given in (
        ("full", ("0.8",)),
        ("sharded", ("0.1", "0.9", "0.4")),
        ("acr:rules", ("0.1", "0.2", "0.6")),
    ):
        episodes.append(await held(item, Graded(), *given, setting=setting))
    assert [episode.score for episode in episodes] == [0.8, 0.4, 0.6]
    rows = figures.summarise(episodes, manifest)["tasks"]["math"]["settings"]
    assert rows["full"]["score"]["value"] == pytest.approx(0.8)
    assert rows["acr:rules"]["gap_recovered"]["value"] == pytest.approx(0.5)
    assert rows["sharded"]["score"]["value"] == pytest.approx(0.4)


async def test_where_scoring_is_dear_only_the_last_answer_is_scored(item: Item) -> None:
    task = GradedLast()
    episode = await held(item, task, "0.1", "0.2", "")
    assert task.scored == ["0.2"]
    assert [turn.score for turn in episode.turns] == [None, 0.2, None]
    assert [turn.answer for turn in episode.turns] == ["0.1", "0.2", None]
    assert (episode.score, episode.protocol_score) == (0.2, 0.2)
    assert episode.extra == {"classifier": "form", "judge": "judge-1"}
    cut = await held(item, GradedLast(), "0.1", Reply(error="context"))
    assert cut.score == 0.1


async def test_every_turn_has_a_type(item: Item) -> None:
    episode = await held(item, Math(), "How many are there?", "16 + 2 = 18, so there are 18.", "Answer: 18")
    assert [turn.response for turn in episode.turns] == ["clarification", "answer_attempt", "answer_attempt"]
    assert Episode.model_validate_json(episode.model_dump_json()) == episode


def test_records_from_before_types_still_load() -> None:
    new = TurnRecord(user="u", response="refuse", user_note="model").model_dump()
    old = {key: value for key, value in new.items() if key not in ("response", "user_note")}
    assert TurnRecord.model_validate(old).response is None


async def test_a_run_with_a_user_and_a_classifier_that_are_models(
    server, data: Path, tmp_path: Path, make_completion
) -> None:
    """Both call the server directly, while the assistant goes through ACR."""

    def handler(body: dict) -> object:
        system = body["messages"][0]["content"]
        if "play a user" in system:
            return make_completion('{"shard_id": 3, "response": "two more"}')
        if "Sort the response" in system:
            return make_completion('{"response_type": "discussion"}')
        return make_completion("Answer: 18")

    server.handler = handler
    plan = runner.Plan(
        tasks=["math"],
        settings=["acr:never"],
        out=tmp_path / "out",
        base_url=server.url,
        data=data,
        limit=1,
        user="model",
        classifier="model",
    )
    await runner.run(plan)
    (episode,) = store.episodes(tmp_path / "out")
    assert episode.order == [1, 3, 2]
    assert [turn.user_note for turn in episode.turns] == [
        None,
        "model",
        "paraphrase: shard 3 is not to come",
    ]
    assert [turn.response for turn in episode.turns] == ["discussion"] * 3
    assert episode.extra["classifier"] == "model"
    assert all(turn.acr for turn in episode.turns)
    assert len(server.requests) == 3 + 3 + 3, "answers, types, and one word and two attempts of the user"
    manifest = store.manifest(tmp_path / "out")
    assert (manifest["user"], manifest["user_model"]) == ("model", "scripted")


async def test_material_tasks_run_and_are_reported(
    server, tmp_path: Path, make_completion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The three of them at once, with a model that repeats what it is given."""
    monkeypatch.delenv("BENCH_JUDGE_URL", raising=False)
    server.handler = lambda body: make_completion(f"- {body['messages'][-1]['content'][:200]} [1, 2]")
    plan = runner.Plan(
        tasks=["data2text", "summary", "translation"],
        settings=["full", "sharded", "recap"],
        out=tmp_path / "out",
        base_url=server.url,
        limit=2,
    )
    result = await runner.run(plan)
    assert (result.finished, result.failed) == (18, [])
    episodes = store.episodes(tmp_path / "out")
    assert {episode.task for episode in episodes} == {"data2text", "summary-citations", "translation"}
    for episode in episodes:
        assert 0.0 <= episode.score < 1.0
        scored = [turn.score for turn in episode.turns]
        if episode.task == "summary-citations":
            assert scored[:-1] == [None] * (len(scored) - 1) and scored[-1] is not None
            assert episode.extra["judge"] == "none"
        else:
            assert None not in scored and "tok:13a" in episode.extra["bleu"]
        if episode.setting == "sharded":
            assert episode.order == sorted(episode.order), "material comes in the order of the file"
            assert {turn.response for turn in episode.turns} == {"answer_attempt"}
    tables = figures.summarise(episodes, store.manifest(tmp_path / "out"))["tasks"]
    assert set(tables) == {"data2text", "summary-citations", "translation"}
    assert (await runner.run(plan)).skipped == 18


async def test_summaries_with_a_judge(
    server, tmp_path: Path, make_completion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge is asked from the thread that scores, for the last answer only."""

    def handler(body: dict) -> object:
        if "You compare a summary" in body["messages"][0]["content"]:
            return make_completion('{"coverage": "PARTIAL_COVERAGE", "bullet_id": 1}')
        return make_completion("- One finding. [1, 4, 7]")

    server.handler = handler
    monkeypatch.setenv("BENCH_JUDGE_URL", server.url)
    monkeypatch.setenv("BENCH_JUDGE_MODEL", "judge-1")
    plan = runner.Plan(
        tasks=["summary"], settings=["sharded"], out=tmp_path / "out", base_url=server.url, limit=1
    )
    await runner.run(plan)
    (episode,) = store.episodes(tmp_path / "out")
    assert (episode.task, episode.extra["judge"]) == ("summary", "judge-1")
    # five findings, each half covered by a bullet that cites 1, 4, 7; theirs: 147, 26, 136, 48, 358
    assert episode.score == pytest.approx(0.5 * (1 + 0 + 2 / 6 + 2 / 5 + 0) / 5)
    asked = [body["model"] for body in server.requests]
    assert asked.count("judge-1") == 5 and asked.count("scripted") == 4
