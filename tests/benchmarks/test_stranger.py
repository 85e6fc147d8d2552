"""A stranger adds a task with one file and a data file, doing what benchmarks/README.md says."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

import pytest
from acr_benchmarks import store

README = Path(__file__).parents[2] / "benchmarks" / "README.md"


def follow(folder: Path) -> None:
    """Write the files of the section, and install them as a package would be: by its metadata on the path."""
    section = README.read_text(encoding="utf-8").split("## Adding a task")[1].split("\n## ")[0]
    blocks = dict(re.findall(r"```(python|json|toml)\n(.*?)```", section, re.DOTALL))
    (folder / "mine.py").write_text(blocks["python"], encoding="utf-8")
    (folder / "mine.jsonl").write_text(blocks["json"], encoding="utf-8")
    group, line = blocks["toml"].strip().splitlines()
    assert group == '[project.entry-points."acr.tasks"]'
    info = folder / "mine-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[acr.tasks]\n{line.replace(chr(34), '')}\n")


async def bench(folder: Path, *arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "acr_benchmarks",
        *arguments,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


@pytest.mark.timeout(300)  # five processes, on a busy machine
async def test_a_stranger_adds_a_task(server, tmp_path: Path, make_completion) -> None:
    follow(tmp_path)
    code, output = await bench(tmp_path, "tasks", "--json")
    assert code == 0, output
    (row,) = [row for row in json.loads(output) if row["task"] == "mine"]
    assert row == {"task": "mine", "items": 1, "pieces": [4, 4], "licence": "CC0-1.0", "error": None}

    def handler(body: dict) -> object:
        text = body["messages"][-1]["content"]
        return make_completion("Word: Zebra" if "herds" in text else "Word: horse")

    server.handler = handler
    out = tmp_path / "out"
    code, output = await bench(
        tmp_path,
        "run",
        "--task",
        "mine",
        "--setting",
        "full,sharded",
        "--base-url",
        server.url,
        "--out",
        str(out),
    )
    assert code == 0, output
    episodes = {episode.setting: episode for episode in store.episodes(out)}
    assert [turn.score for turn in episodes["sharded"].turns] == [0.0, 0.0, 0.0, 1.0]
    assert episodes["full"].score == 1.0
    code, output = await bench(tmp_path, "report", str(out))
    assert code == 0 and "mine" in output

    code, output = await bench(tmp_path, "check", "--task", "mine")
    assert code == 0, output
    short = json.loads((tmp_path / "mine.jsonl").read_text(encoding="utf-8"))
    del short["shards"][1]
    (tmp_path / "mine.jsonl").write_text(json.dumps(short), encoding="utf-8")
    code, output = await bench(tmp_path, "check", "--task", "mine")
    assert code == 1
    assert "mine/zebra: 3 pieces, not 4 to 8" in output
