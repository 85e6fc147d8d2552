"""Every example, run as a user would, against a real proxy in front of the small real model."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from support.proxy import RunningProxy

from acr.embedded import launch
from acr.embedded.catalogue import Model

EXAMPLES = Path(__file__).parents[2] / "examples"
NEEDS = {"agents_sdk": "agents"}
"""Libraries that are not installed with the development tools."""

pytestmark = [pytest.mark.model, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def address(small: Model) -> Iterator[str]:
    with launch(small, slots=2, context=2048) as server, RunningProxy(server.url) as proxy:
        yield proxy.url


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_the_example_runs_and_prints_an_answer(name: str, address: str) -> None:
    library = NEEDS.get(name)
    if library and find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"],
        env=os.environ | {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "any"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    if name != "open_webui_filter":  # a file to paste: it only has to load
        assert len(done.stdout.split()) > 20, done.stdout


def test_the_notebook_runs(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a kernel of its own, every cell. It holds no outputs: what a model says differs from run to run."""
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    notebook = nbformat.read(EXAMPLES / "demo.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    said = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
    assert len(re.findall(r"^ +(?:none|intervened) .*-", said, re.MULTILINE)) == 5, said
    assert "through ACR" in said
