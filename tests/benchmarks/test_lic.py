"""The log format of the Lost-in-Conversation code, there and back."""

import json
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks import cli, lic, store
from acr_benchmarks.records import Episode, TurnRecord
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from acr.errors import BenchmarkError

TEXT = st.text(max_size=20)
TURNS = st.builds(
    TurnRecord,
    user=TEXT,
    shard=st.none() | st.integers(1, 9),
    assistant=TEXT.filter(bool),
    answer=st.none() | TEXT,
    explicit=st.booleans(),
    score=st.none() | st.floats(0, 1),
    response=st.none() | st.sampled_from(["answer_attempt", "refuse"]),
    prompt_tokens=st.none() | st.integers(0, 99),
    acr=st.dictionaries(TEXT, TEXT, max_size=2),
    view=st.none() | st.lists(st.fixed_dictionaries({"role": TEXT, "content": TEXT}), max_size=2),
).map(lambda turn: turn if turn.answer is not None else turn.model_copy(update={"score": None}))
EPISODES = st.builds(
    Episode,
    task=st.just("math"),
    item=TEXT,
    setting=st.sampled_from(["full", "shuffle_concat", "recap", "acr:always:recap", "acr:token_threshold:9"]),
    run=st.integers(0, 9),
    seed=st.integers(0, 9),
    user=st.just("scripted"),
    system=TEXT,
    order=st.lists(st.integers(1, 9)),
    turns=st.lists(TURNS, min_size=1, max_size=4),
    score=st.floats(0, 1),
    protocol_score=st.floats(0, 1),
    started=st.sampled_from(["", "2026-01-02T03:04:05+00:00"]),
    extra=st.dictionaries(TEXT, TEXT, max_size=1),
)


@settings(max_examples=40, deadline=None)
@given(EPISODES)
def test_an_exported_episode_comes_back_as_it_was(episode: Episode) -> None:
    row = json.loads(json.dumps(lic.record(episode, "data.json")))
    assert lic.episode(row, 99) == episode


def test_their_viewer_finds_what_it_reads(small: list[Episode], tmp_path: Path) -> None:
    """The fields, roles and event types that their `app_conv_viewer.py` and `utils_log.py` use."""
    named = [one.model_copy(update={"model": "org/small_model"}) for one in small]
    files = lic.export(named, tmp_path, {"math": "sharded_instructions_600.json"})
    assert [path.relative_to(tmp_path).as_posix() for path in files] == [
        "math/acr-rules/acr-rules_math_org-small-model.jsonl",
        "math/full/full_math_org-small-model.jsonl",
        "math/sharded/sharded_math_org-small-model.jsonl",
    ]
    rows = [json.loads(line) for line in files[2].read_text().splitlines()]
    assert len({row["conv_id"] for row in rows}) == len(rows) == 4
    first = rows[0]
    assert first["dataset_fn"] == "sharded_instructions_600.json"
    assert first["assistant_model"] == "org/small_model"
    assert (first["is_correct"], first["score"]) == (True, 1.0)  # right once, wrong in the end
    assert [row["is_correct"] for row in rows[1:]] == [False] * 3
    assert [entry["role"] for entry in first["trace"]] == [
        "system", "user", "assistant", "log", "log", "user", "assistant", "log",
    ]  # fmt: skip
    evaluation = first["trace"][3]["content"]
    assert evaluation["type"] == "answer-evaluation" and evaluation["exact_answer"] == "1"
    assert first["trace"][4]["content"] == {"type": "conversation-completed", "is_correct": True}
    with pytest.raises(BenchmarkError, match="is there already"):
        lic.export(named, tmp_path, {})


def theirs(row: dict[str, Any], *, revealed_first: bool) -> dict[str, Any]:
    """A logged conversation, from the reduced form of the shared data, as their code writes it."""
    trace: list[dict[str, Any]] = [{"role": "system", "content": "Solve."}]
    for turn in row["turns"]:
        said = {"role": "user", "content": turn["user"]}
        log = {"role": "log", "content": {"type": "hint_revealed", "shard_id": turn["sid"]}}
        if turn["sid"] == -1:
            trace.append(said)
        else:
            trace += [log, said] if revealed_first else [said, log]
        trace.append({"role": "assistant", "content": turn["asst"]})
        kind = {"type": "system-verification", "response": {"response_type": turn["rt"]}}
        trace.append({"role": "log", "content": kind})
        trace.append({"role": "log", "content": {"type": "state_transition", "from": "A", "to": "B"}})
        if turn.get("ok") is not None:
            content = {"type": "answer-evaluation", "exact_answer": turn["ans"], "is_correct": None}
            trace.append({"role": "log", "content": {**content, "score": float(turn["ok"])}})
    return {
        "conv_id": row["conv_id"], "conv_type": "snowball-stateful", "task": row["task"],
        "task_id": row["task_id"], "dataset_fn": "d.json", "assistant_model": row["model"],
        "system_model": "s", "user_model": "u", "git_version": "0", "trace": trace,
        "is_correct": None, "score": None,
    }  # fmt: skip


@pytest.mark.data
@pytest.mark.parametrize("revealed_first", [True, False])
def test_real_logs_are_read(shared: Path, tmp_path: Path, revealed_first: bool) -> None:
    lines = (shared / "data" / "lic_traces_dev.jsonl").read_text().splitlines()
    rows = list(map(json.loads, lines))
    model = "anthropic/claude-3-haiku"
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(theirs(row, revealed_first=revealed_first)) + "\n" for row in rows))
    with pytest.raises(BenchmarkError, match=r"holds 5 models; choose one: .*haiku"):
        lic.read(log)
    result = CliRunner().invoke(
        cli.app, ["import-lic", str(log), "--out", str(tmp_path / "run"), "--model", model]
    )
    assert result.exit_code == 0, result.output
    episodes = store.episodes(tmp_path / "run")
    wanted = [row for row in rows if row["model"] == model]
    assert len(episodes) == len(wanted) > 30
    for episode, row in zip(episodes, wanted, strict=True):
        assert [turn.shard for turn in episode.turns] == [
            None if turn["sid"] == -1 else turn["sid"] for turn in row["turns"]
        ]
        given = [turn["ok"] for turn in row["turns"] if turn.get("ok") is not None]
        assert episode.score == (float(given[-1]) if given else 0.0)
        assert episode.protocol_score == float(any(given))
        assert [turn.response for turn in episode.turns] == [turn["rt"] for turn in row["turns"]]
    result = CliRunner().invoke(cli.app, ["report", str(tmp_path / "run"), "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)["tasks"]["math"]["settings"]["snowball-stateful"]
    math = [episode for episode in episodes if episode.task == "math"]
    assert figures["score"]["value"] == pytest.approx(sum(e.score for e in math) / len(math))


def test_names_of_settings() -> None:
    for name in ("full", "concat", "shuffle_concat", "sharded", "snowball", "recap"):
        assert lic.setting(lic.conversation_type(name)) == name
    assert lic.setting("sharded-at0.5-ut0.0") == "sharded"
    assert lic.temperature("sharded-at0.5-ut0.0") == 0.5
    assert lic.temperature("full-t0.0") == 0.0
    assert lic.temperature("shuffle-concat") == 1.0


def test_an_answer_is_kept_as_a_run_of_its_own(tmp_path: Path) -> None:
    turns: list[dict[str, Any]] = [
        {"user": "u", "sid": 1, "asst": "4", "rt": "answer_attempt", "ans": "4", "ok": True}
    ]
    row = {"conv_id": "c", "task": "math", "task_id": "t", "model": "m", "turns": turns}
    path = tmp_path / "log.jsonl"
    path.write_text(2 * (json.dumps(theirs(row, revealed_first=False)) + "\n"))
    assert [episode.run for episode in lic.read(path)] == [0, 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no conversation"),
        ("{", "line 1 is no JSON"),
        ("[1]", "line 1 is no JSON object"),
        ('{"task": "math"}', "no record"),
        ('{"trace": [{"role": "assistant", "content": "x"}]}', "no record"),
    ],
)
def test_what_is_no_log_is_told(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(content)
    with pytest.raises(BenchmarkError, match=message):
        lic.read(path)


def test_export_from_the_command_line(tmp_path: Path, small: list[Episode], manifest: dict) -> None:
    with store.Store(tmp_path / "run") as kept:
        kept.write_manifest({**manifest, "data": {"math": {"file": "items.json", "sha256": ""}}})
        for one in small:
            kept.append(one)
    arguments = ["export", str(tmp_path / "run"), "--lic", str(tmp_path / "logs")]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    assert {row["dataset_fn"] for row in lic.records(tmp_path / "logs")} == {"items.json"}
    assert sorted(lic.read(tmp_path / "logs"), key=lambda e: e.key) == sorted(small, key=lambda e: e.key)
