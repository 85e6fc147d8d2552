"""The steps in a row, as commands: from conversations with a scripted model to a controller that acr serves."""

import json
from pathlib import Path

import pytest
from acr_training import manifest
from acr_training.cli import app
from acr_training.table import examples
from typer.testing import CliRunner

from acr import registry
from acr.errors import AcrError


def command(*arguments, code=0):
    ran = CliRunner().invoke(app, [str(each) for each in arguments])
    error = ran.exception
    if isinstance(error, AcrError):
        assert code == 2, error
        return str(error)
    assert ran.exit_code == code, (ran.output, error)
    return ran.stdout


@pytest.fixture
def collected(server, tmp_path, data, fold):
    run = tmp_path / "run"
    command(
        *("collect", "--out", run, "--task", "math", "--data", f"math={data}", "--base-url", server.url),
        *("--turns", 3),
    )
    return run


def test_from_conversations_to_a_controller(collected):
    labelled = json.loads(command("label", collected))
    assert labelled["train"]["kinds"]["corrective"] > 0
    assert {example.label for example in examples(collected)} >= {"fold", "none"}
    folder = collected / "signals"
    command("signals", collected, "--kind", "linear")
    calibrated = json.loads(command("calibrate", folder, collected, "--rate", 0.5))
    assert calibrated["intervention_rate"] <= 0.5
    command("calibrate", folder, collected)
    table = command("evaluate", collected, "--controller", folder, "--split", "dev,test")
    found = json.loads((folder / "evaluation.json").read_text())
    again = command(
        "evaluate",
        collected,
        "--decided",
        folder / "decisions.json",
        "--split",
        "dev,test",
        "--out",
        collected,
    )
    assert again == table, "decisions that are kept are measured as the controller was"
    assert found["signals"]["regret"]["value"] < found["never"]["regret"]["value"]
    assert found["oracle"]["regret"]["value"] == 0
    assert "`always:fold`" in table
    assert str(collected) not in table
    text = command("card", folder)
    assert manifest.sha256(collected / "outcomes.jsonl") in text
    assert "base model `scripted`" in text
    assert "| `oracle` |" in text
    assert str(collected) not in (folder / manifest.FILE).read_text()
    made = registry.controller(str(folder))
    assert made.name == "signals"
    assert Path(folder / "curves.json").exists()


def test_wrong_arguments_are_told_in_words(tmp_path):
    assert "cannot read" in command("label", tmp_path, code=2)
    assert "no examples" in command("signals", empty(tmp_path), code=2)
    assert "known: linear, trees" in command("signals", tmp_path, "--kind", "deep", code=2)
    assert "wanted is KIND=NUMBER" in command("label", tmp_path, "--mix", "good=1", code=2)
    assert "known: none, temperature" in command("calibrate", tmp_path, tmp_path, "--method", "x", code=2)
    assert "known: train, dev" in command("evaluate", tmp_path, "--split", "all", code=2)
    assert "does not tell of" in command("card", tmp_path, code=2)


def empty(folder):
    for name in ("states", "outcomes", "examples"):
        (folder / f"{name}.jsonl").write_text("")
    return folder
