"""The built wheel, unpacked into a folder of its own and run from there: nothing of the checkout is used.

Its dependencies are those of this environment. The release workflow installs it into a clean one.
"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

RUN = "import sys; from acr.cli import main; sys.argv = ['acr', *sys.argv[1:]]; main()"
TALK = [
    {"role": "user", "content": "How much does my phone plan cost in a year?"},
    {"role": "assistant", "content": "A plan is 30 euros a month, so that makes 360 euros.\n\nAnswer: 360"},
    {"role": "user", "content": "The plan is 18 euros a month, and in December they charge 6 euros extra."},
]


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(folder)
    return folder


def python(installed: Path, *arguments: str, given: str = "") -> str:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("ACR_", "OPENAI_"))
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=installed.parent,
        input=given,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env=environment | {"PYTHONPATH": str(installed), "COLUMNS": "120"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_it_is_the_wheel_that_runs(installed: Path) -> None:
    code = (
        "import acr, acr_benchmarks, acr_operators, acr_training; print(acr.__file__, acr_training.__file__)"
    )
    assert all(path.startswith(str(installed)) for path in python(installed, "-c", code).split())


def test_version(installed: Path) -> None:
    import acr

    assert python(installed, "-c", RUN, "--version") == f"acr {acr.__version__}\n"


def test_the_tasks_of_the_benchmark_bring_their_items(installed: Path) -> None:
    rows = json.loads(python(installed, "-c", RUN, "bench", "tasks", "--json"))
    assert {row["task"]: row["items"] for row in rows}["controls"] == 102


def test_a_conversation_is_explained_with_tokens_counted_offline(installed: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path))
        patch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
        patch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
        text = python(installed, "-c", RUN, "explain", "-", given=json.dumps({"messages": TALK}))
    assert "consolidate" in text and "prompt tokens 62 → 34" in text
