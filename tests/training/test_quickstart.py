"""The whole pipeline by one command: with a scripted model here, with a real one in the test marked `model`."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from acr_training import quickstart
from acr_training.cli import app
from acr_training.collect import Watcher
from acr_training.config import Endpoint
from support.models import small
from typer.testing import CliRunner

from acr import registry

__all__ = ["small"]


def made(out, url, rounds=1):
    said = []
    endpoint = Endpoint(base_url=url, max_tokens=48)
    result = asyncio.run(
        quickstart.run(
            out, endpoint, rounds=rounds, concurrency=4, seed=0, say=said.append, watcher=Watcher()
        )
    )
    return result, "\n".join(said)


def test_it_ends_with_a_controller(server, tmp_path, fold):
    result, said = made(tmp_path, server.url)
    assert result["trained"]
    assert registry.controller(result["controller"]).name == "signals"
    for step in range(1, 7):
        assert f"{step}/6 " in said
    assert "| `oracle` |" in said
    assert (tmp_path / "evolution" / "ledger.md").exists()
    asked = len(server.requests)
    again, _ = made(tmp_path, server.url)
    assert (again, len(server.requests)) == (result, asked), "started again, it asks nothing"


def test_where_there_is_nothing_to_learn_it_says_so(server, tmp_path):
    server.answers = lambda messages: "I do not know."
    server_words = server.reply
    server.reply = lambda body: server_words(body) | {"usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    result, said = made(tmp_path, server.url)
    assert not result["trained"]
    assert "nothing to learn" in said
    controller = registry.controller(result["controller"])
    assert controller.weights.labels == ("none",)


@pytest.mark.model
@pytest.mark.timeout(600)
def test_with_a_real_model_from_nothing_to_a_proxy_that_serves(small, tmp_path, monkeypatch):
    """`acr train quickstart`, then `acr serve --controller` with what it made. Fewer conversations than it
    takes by default: about half a minute on two quiet cores.
    """
    monkeypatch.setattr(quickstart, "PARTS", (("train", 2), ("dev", 1), ("test", 1)))
    monkeypatch.setattr(quickstart, "OPERATORS", ("consolidate", "recap"))
    out = tmp_path / "quick"
    ran = CliRunner().invoke(
        app, ["quickstart", "--out", str(out), "--rounds", "0", "--max-tokens", "16", "--model", small.name]
    )
    assert ran.exit_code == 0, (ran.output, ran.exception)
    folder = json.loads(ran.stdout.splitlines()[-1])["controller"]
    rows = [json.loads(line) for line in (out / "table" / "outcomes.jsonl").read_text().splitlines()]
    assert {row["model"] for row in rows} == {small.name}
    assert all(row["completion_tokens"] > 0 for row in rows)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    child = subprocess.Popen(
        [Path(sys.executable).with_name("acr"), "serve", "--controller", folder, "--port", str(port),
         "--upstream", "http://127.0.0.1:9/v1"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | {"NO_PROXY": "*"},
    )  # fmt: skip
    try:
        assert status(port)["controller"] == "signals"
    finally:
        child.terminate()
        child.communicate(timeout=30)


def status(port):
    until = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/acr/status", timeout=5) as answer:
                return json.load(answer)
        except OSError:
            assert time.monotonic() < until, "the proxy did not start"
            time.sleep(0.1)


def test_the_quickstart_in_the_documentation_is_this_one():
    text = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    assert re.search(r"^acr train quickstart --out \S+$", text, re.MULTILINE)
