"""docs/training.md is run as printed, against a scripted model."""

import json
import re
import shlex
from pathlib import Path

import pytest
from acr_benchmarks.task import read
from acr_benchmarks.tasks.math import Math
from acr_training import learn
from acr_training.cli import app
from typer.testing import CliRunner

from acr.trace import Trace

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
URL = "http://127.0.0.1:8000/v1"
ELSEWHERE = ("quickstart", "sft", "dpo", "grpo", "curves", "export")
"""Run by tests of their own, and so is what follows them."""


MATH = Math()
GOLD = {item.shards[0].text: item.text("answer").rpartition("####")[2] for item in read(MATH.path(), "math")}
"""What is right, by what a conversation opens with."""


def commands() -> list[list[str]]:
    blocks = re.findall(r"^```\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    lines = [shlex.split(line) for block in blocks for line in block.splitlines()]
    found = [line[2:] for line in lines if line[:2] == ["acr", "train"] and line[2] not in ELSEWHERE]
    return [line for line in found if not any("sft" in part for part in line)]


def answers(messages):
    """Gets better by whatever stands in front of the newest message, unless a poem is asked for."""
    if "compare two answers" in messages[0]["content"]:
        first, second = messages[1]["content"].split("Answer B:")
        good = "good" in first.split("Answer A:")[1], "good" in second
        return {(True, False): "A", (False, True): "B"}.get(good, "TIE")
    said = " ".join(message["content"] for message in messages)
    good = len(messages[-1]["content"]) > 90 and "poem" not in said
    gold = next((answer for opening, answer in GOLD.items() if opening in said), "")
    return f"{'good' if good else 'bad'}. Answer: {gold if good else 'unknown'}"


def dialogue(number):
    first = f"Write poem number {number}." if number % 2 else f"How many beads are in box {number}?"
    texts = [first, "Here it is: 4.", f"It has {number + 3} lines.", "Then it is 5.", "And 2 more are red."]
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]


def prepare(folder: Path) -> None:
    dialogues = [dialogue(number) for number in range(14)]
    (folder / "mine.jsonl").write_text("".join(json.dumps({"messages": d}) + "\n" for d in dialogues))
    traces = [Trace(id=str(n), dialect="chat", messages=d) for n, d in enumerate(dialogues[:3])]
    listed = {"object": "list", "data": [trace.model_dump(mode="json") for trace in traces]}
    (folder / "traces.json").write_text(json.dumps(listed))
    (folder / "training").symlink_to(ROOT / "training")


@pytest.mark.timeout(300)
def test_every_command_as_printed(server, tmp_path, monkeypatch):
    server.answers = answers
    monkeypatch.chdir(tmp_path)
    few = learn.RECIPES[1:3]  # what is tried is tested elsewhere
    monkeypatch.setattr(learn, "RECIPES", few)
    monkeypatch.setattr("acr_training.commands.learn.RECIPES", few)
    monkeypatch.setattr("acr_training.curve.REPEATS", 1)
    prepare(tmp_path)
    found = commands()
    assert {line[0] for line in found} >= {
        "collect", "items", "label", "select", "signals", "calibrate", "evaluate", "card", "evolve",
    } - {"items"}  # fmt: skip
    for line in found:
        arguments = [server.url if part == URL else part for part in line]
        if arguments[0] in ("collect", "evolve") and "--base-url" not in arguments:
            arguments += ["--base-url", server.url]
        if "training/configs/collect.toml" in arguments:
            continue  # hours of work
        ran = CliRunner().invoke(app, arguments)
        assert ran.exit_code == 0, (line, ran.output, ran.exception)
    table = json.loads((tmp_path / "runs/mine/signals/evaluation.json").read_text())
    assert table["signals"]["regret"]["value"] < table["never"]["regret"]["value"]
    assert "| round |" in (tmp_path / "runs/rounds/ledger.md").read_text()


def names() -> list[str]:
    return [str(command.name) for command in app.registered_commands]


def test_every_option_is_explained_by_help():
    """What the text names in passing exists too."""
    options = set(re.findall(r"`(--[a-z-]+)", TEXT))
    known = "".join(
        CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "300"}).output for name in names()
    )
    missing = {option for option in options if option not in known} - {"--controller"}
    assert not missing
