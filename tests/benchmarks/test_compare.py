"""Two runs against each other."""

import json
from pathlib import Path

import pytest
from acr_benchmarks import cli, compare
from acr_benchmarks.records import Episode
from acr_benchmarks.store import Store
from typer.testing import CliRunner

from acr.errors import BenchmarkError

MANIFEST = {"model": "m", "temperature": 0.7, "data": {"math": {"file": "a.json", "sha256": "1"}}}


def held(
    path: Path, scores: dict[tuple[str, str], list[float]], manifest: dict | None = None, tokens: int = 10
) -> Path:
    with Store(path) as store:
        store.write_manifest(manifest or MANIFEST)
        for (item, setting), runs in scores.items():
            for run, score in enumerate(runs):
                store.append(
                    Episode(
                        task="math",
                        item=item,
                        setting=setting,
                        run=run,
                        seed=0,
                        user="scripted",
                        system="",
                        order=[],
                        turns=[],
                        score=score,
                        protocol_score=score,
                        prompt_tokens=tokens,
                        completion_tokens=tokens,
                    )
                )
    return path


def test_by_hand(tmp_path: Path) -> None:
    first = held(
        tmp_path / "a", {("x", "full"): [1, 0], ("y", "full"): [0], ("z", "full"): [1], ("x", "sharded"): [0]}
    )
    second = held(tmp_path / "b", {("x", "full"): [1], ("y", "full"): [1], ("w", "full"): [0]}, tokens=20)
    result = compare.compare(first, second)
    assert result["differ"] == []
    (row,) = result["settings"]
    assert (row["setting"], row["items"], row["before"], row["after"]) == ("full", 2, 0.25, 1.0)
    assert (row["difference"]["value"], row["better"], row["worse"]) == (0.75, 2, 0)
    assert row["tokens"] == [20, 40]
    assert "| math | `full` | 2 | 25 | 100 | +75" in " ".join(compare.markdown(result).split())


def test_what_else_differs_is_told(tmp_path: Path) -> None:
    scores = {("x", "full"): [1.0]}
    other = {"model": "n", "temperature": 0.7, "data": {"math": {"file": "b.json", "sha256": "2"}}}
    result = compare.compare(held(tmp_path / "a", scores), held(tmp_path / "b", scores, other))
    assert result["differ"] == ["model: m and n", "data of math: a.json and b.json are not the same file"]
    assert "The runs differ in model: m and n." in compare.markdown(result)


def test_nothing_in_common(tmp_path: Path) -> None:
    first = held(tmp_path / "a", {("x", "full"): [1.0]})
    for other in ({("y", "full"): [1.0]}, {("x", "concat"): [1.0]}):
        with pytest.raises(BenchmarkError, match="in common"):
            compare.compare(first, held(tmp_path / f"b{len(list(tmp_path.iterdir()))}", other))


def test_on_the_command_line(tmp_path: Path) -> None:
    first, second = held(tmp_path / "a", {("x", "full"): [0.0]}), held(tmp_path / "b", {("x", "full"): [1.0]})
    result = CliRunner().invoke(cli.app, ["compare", str(first), str(second), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["settings"][0]["difference"]["value"] == 1.0
    assert CliRunner().invoke(cli.app, ["compare", str(first), str(second)]).exit_code == 0
    assert CliRunner().invoke(cli.app, ["compare", str(first), str(tmp_path / "none")]).exit_code == 1
