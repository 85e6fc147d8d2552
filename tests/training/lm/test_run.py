"""A run that is killed and started again ends as if nothing had happened."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from acr_training import manifest
from acr_training.cli import app
from acr_training.lm import curves, run
from typer.testing import CliRunner

from acr.errors import TrainingError

from .conftest import SFT, Ran, Train

pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers, about themselves


@pytest.mark.timeout(400)
def test_killed_and_started_again_it_ends_the_same(
    taught: Ran, made_table: Path, tiny_trunk: Path, train: Train, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    told = {"base": tiny_trunk, "layers": 2, "dtype": "float32", "evaluate_every": 8, **SFT}
    command = [sys.executable, "-m", "acr_training", "sft", "--table", str(made_table), "--out", str(out)]
    command += [part for name, value in told.items() for part in ("--set", f"{name}={value}")]
    first = out / "checkpoints" / "checkpoint-8"
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 200
        while not (first / run.WHOLE).exists():
            assert process.poll() is None, process.stderr.read().decode() if process.stderr else ""
            assert time.monotonic() < until
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not (out / "controller").exists()
    (first.parent / "checkpoint-9999").mkdir()  # as a kill in the middle of writing one leaves it
    again = train("sft", out=out, **SFT)
    assert any(line.startswith("going on from checkpoint-") for line in again.lines)
    assert again.results == taught.results
    assert json.loads((out / "curves.json").read_text()) == json.loads(
        (taught.out / "curves.json").read_text()
    )


def test_a_directory_keeps_to_what_it_was_begun_with(taught: Ran, train: Train) -> None:
    with pytest.raises(TrainingError, match="begun with rate"):
        train("sft", out=taught.out, rate=5e-3, epochs=2)


def test_the_manifest_says_what_it_was_made_of(taught: Ran, made_table: Path) -> None:
    step = manifest.load(taught.out)["steps"]["sft"]
    assert step["inputs"]["examples"]["sha256"] == manifest.sha256(made_table / "examples.jsonl")
    assert step["arguments"]["rate"] == 1e-2 and step["arguments"]["seed"] == 1
    assert {"torch", "trl", "peft", "transformers"} <= set(step["versions"])
    assert step["results"]["dev"] == taught.results["dev"]
    assert str(made_table.parent) not in json.dumps(step)


def test_curves_are_drawn(taught: Ran, begun: Ran, tmp_path: Path) -> None:
    assert (taught.out / "curves.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    kept = {"real": json.loads((taught.out / "curves.json").read_text())}
    (tmp_path / "kept.json").write_text(json.dumps(kept))
    told = ["curves", str(tmp_path / "kept.json"), str(begun.out), "--out", str(tmp_path / "both.png")]
    assert CliRunner().invoke(app, told).exit_code == 0
    assert (tmp_path / "both.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert set(json.loads((tmp_path / "both.json").read_text())) == {"real", "run"}
    with pytest.raises(TrainingError, match="no curves of"):
        curves.load([tmp_path])


def test_the_best_is_the_earliest_of_those_that_lose_least() -> None:
    log = [
        {"step": 0, "heldout_regret": 0.5, "heldout_nll": 1.0, "heldout_intervened": 0.0},
        {"loss": 1.0, "step": 1},
        {"step": 2, "heldout_regret": 0.1, "heldout_nll": 0.5, "heldout_intervened": 0.5},
        {"step": 3, "heldout_regret": 0.1, "heldout_nll": 0.5, "heldout_intervened": 0.5},
        {"step": 4, "heldout_regret": 0.2, "heldout_nll": 0.1, "heldout_intervened": 0.5},
        {"step": 5, "heldout_regret": 0.0999, "heldout_nll": 0.1, "heldout_intervened": 1.0},
    ]
    best = run.best(log)
    assert best is not None and best["step"] == 2


def test_half_written_checkpoints_are_removed(tmp_path: Path) -> None:
    for number, whole in ((8, True), (16, True), (24, False)):
        (tmp_path / f"checkpoint-{number}").mkdir()
        if whole:
            (tmp_path / f"checkpoint-{number}" / run.WHOLE).touch()
    found = run.newest(tmp_path)
    assert found is not None and found.name == "checkpoint-16"
    assert not (tmp_path / "checkpoint-24").exists()
    assert run.newest(tmp_path / "nothing") is None
