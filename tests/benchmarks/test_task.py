"""Reading items."""

import json
from pathlib import Path

import pytest
from acr_benchmarks import task

from acr.errors import BenchmarkError, ConfigError


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


ROW = {
    "task_id": "a",
    "task": "math",
    "question": "?",
    "answer": "#### 1",
    "shards": [{"shard_id": 1, "shard": "x"}],
}


def test_a_list_and_lines_read_alike(tmp_path: Path) -> None:
    listed = task.read(write(tmp_path / "a.json", [ROW]), "math")
    lines = task.read(write(tmp_path / "a.jsonl", json.dumps(ROW) + "\n\n"), "math")
    assert listed == lines
    assert listed[0].shards == (task.Shard(1, "x"),)
    assert listed[0].data == ROW


def test_items_of_other_tasks_are_skipped(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", [ROW, ROW | {"task_id": "b", "task": "code"}])
    assert [item.id for item in task.read(path, "math")] == ["a"]
    with pytest.raises(BenchmarkError, match=r"no items of task 'actions'; it holds code, math"):
        task.read(path, "actions")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[{", "neither a JSON list nor JSON lines"),
        ([{"task_id": "a", "task": "math"}], "needs task_id, task and shards"),
        (
            [{"task_id": "a", "task": "math", "shards": [{"shard_text": "x"}]}],
            "needs task_id, task and shards",
        ),
        ([{"task_id": "a", "task": "math", "shards": []}], "has no shards"),
        (["text"], "needs task_id"),
        ([ROW, ROW], "twice"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(BenchmarkError, match=message):
        task.read(write(tmp_path / "a.json", content), "math")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="cannot read"):
        task.read(tmp_path / "none.json", "math")


def test_tasks_come_by_entry_point() -> None:
    assert task.load("math").name == "math"
    with pytest.raises(ConfigError, match=r"no task named 'nonsense'; known: .*math"):
        task.load("nonsense")


def test_a_field_that_is_no_text_is_named() -> None:
    with pytest.raises(BenchmarkError, match="'a' has no text field 'question'"):
        task.Item("a", "math", ()).text("question")


@pytest.mark.data
def test_the_files_at_hand_load(shared: Path) -> None:
    assert len(task.read(shared / "data" / "sharded_gsm8k_train.json", "math")) == 304
    assert len(task.read(shared / "data" / "lic_math_actions_dev.json", "math")) == 30
