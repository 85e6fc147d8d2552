"""`acr bench` from the outside."""

import json
from pathlib import Path

import pytest
from acr_benchmarks import cli
from typer.testing import CliRunner

RUNNER = CliRunner()


async def held(server, data: Path, out: Path, *more: str) -> tuple[int, str]:
    """A run in a process of its own: the server lives in this one's event loop."""
    import asyncio
    import sys

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "acr_benchmarks", "run", "--out", str(out), "--data", str(data),
        "--base-url", server.url, "--setting", "full,sharded", *more,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    output, _ = await process.communicate()
    return process.returncode or 0, " ".join(output.decode().split())


async def test_run_then_report(server, data: Path, tmp_path: Path, make_completion) -> None:
    out = tmp_path / "first"
    ids = tmp_path / "ids.txt"
    ids.write_text("# two of them\nitem-1\nitem-2\n")
    server.handler = lambda body: make_completion("Answer: 18")
    code, output = await held(server, data, out, "--ids", str(ids))
    assert code == 0, output
    assert "4 episodes, at most 8 calls" in output
    assert "4 episodes finished, 0 were done before" in output
    result = RUNNER.invoke(cli.app, ["report", str(out), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["tasks"]["math"]["settings"]["full"]["score"]["value"] == 1.0
    readme = tmp_path / "README.md"
    readme.write_text("<!-- bench kept -->\n<!-- /bench kept -->\n")
    save = tmp_path / "reports" / "kept"
    result = RUNNER.invoke(cli.app, ["report", str(out), "--save", str(save), "--readme", str(readme)])
    assert result.exit_code == 0, result.output
    assert (save / "episodes.jsonl.gz").exists()
    assert "`sharded`" in readme.read_text()


async def test_failed_episodes_are_told(server, data: Path, tmp_path: Path) -> None:
    server.handler = lambda body: (401, {"error": "key"})
    code, output = await held(server, data, tmp_path / "out")
    assert code == 1
    assert "refused the request, status 401" in output and "Traceback" not in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--out", "x"], "no model server"),
        (["run", "--out", "x", "--base-url", "http://127.0.0.1:9/v1", "--setting", "nope"], "known: full"),
        (["run", "--out", "x", "--base-url", "http://127.0.0.1:9/v1", "--ids", "none.txt"], "none.txt"),
        (["report", "nowhere"], "no run directory"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ACR_UPSTREAM", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    result = RUNNER.invoke(cli.app, arguments)
    assert result.exit_code == 1
    assert message in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_tasks_are_listed() -> None:
    result = RUNNER.invoke(cli.app, ["tasks", "--json"])
    assert result.exit_code == 0
    rows = {row["task"]: row for row in json.loads(result.stdout)}
    assert {"math", "code", "database", "actions", "controls"} <= rows.keys()
    assert rows["math"]["items"] >= 40 and rows["math"]["licence"] and rows["math"]["pieces"][0] >= 4
    assert not any(row["error"] or "ids" in row for row in rows.values())
    assert RUNNER.invoke(cli.app, ["tasks"]).exit_code == 0


def test_items_are_named_where_asked() -> None:
    rows = json.loads(RUNNER.invoke(cli.app, ["tasks", "--json", "-v"]).stdout)
    assert all(len(set(row["ids"])) == row["items"] for row in rows)
    first = rows[0]["ids"][0]
    assert first in " ".join(RUNNER.invoke(cli.app, ["tasks", "-v"]).stdout.split())


def test_ids_as_lines_or_json(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_text('["a", "b"]')
    assert cli.run.read_ids(path) == ["a", "b"]
    path.write_text("a\n\n b \n")
    assert cli.run.read_ids(path) == ["a", "b"]
    assert cli.run.read_ids(None) == []


def test_controls_are_checked_without_a_model() -> None:
    result = RUNNER.invoke(cli.app, ["controls", "--controller", "never"])
    assert result.exit_code == 0
    result = RUNNER.invoke(cli.app, ["controls", "--controller", "never", "--operator", "snowball", "--json"])
    rows = json.loads(result.stdout)
    assert rows["acr:never"]["changed"] == 0
    assert rows["snowball"]["changed"] > 50
    assert result.exit_code == (1 if rows["snowball"]["harm"] else 0)
