"""The process that runs the model, by itself."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from acr.embedded import child, store
from acr.embedded.catalogue import Model
from acr.embedded.server import diagnose

pytestmark = [pytest.mark.model, pytest.mark.timeout(300)]


def start(
    model: Model, errors: "IO[bytes] | int", *more: str, memory: int | None = None
) -> "subprocess.Popen[bytes]":
    def limit() -> None:
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    command = [sys.executable, "-m", "acr.embedded.child", f"--model={store.path(model)}", "--name=x", *more]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, preexec_fn=limit)


def told(process: "subprocess.Popen[bytes]") -> dict[str, str]:
    assert process.stdout is not None
    answer: dict[str, str] = json.loads(process.stdout.readline())
    return answer


def test_it_ends_when_its_input_does(small: Model) -> None:
    """The way that works on every system: no process id is given, so the kernel is not asked."""
    with start(small, subprocess.DEVNULL, "--slots=1", "--context=256") as process:
        assert told(process)["address"].startswith("http://127.0.0.1:")
        assert process.poll() is None
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_it_ends_at_once_if_its_parent_is_already_gone() -> None:
    command = [sys.executable, "-m", "acr.embedded.child", "--model=/nowhere", "--name=x", "--parent=1"]
    found = subprocess.run(command, stdin=subprocess.PIPE, capture_output=True, timeout=60, check=False)
    assert (found.returncode, found.stdout) == (0, b"")


def test_a_port_in_use(small: Model, tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken, (tmp_path / "log").open("wb") as log:
        port = taken.getsockname()[1]
        with start(small, log, f"--port={port}") as process:
            assert "error" in told(process)
            code = process.wait(timeout=20)
    assert str(diagnose(small, code, tmp_path / "log")).startswith(
        f"port {port} for the embedded model is in use"
    )


def test_memory_that_runs_out(small: Model, tmp_path: Path) -> None:
    options = ("--slots=1", "--context=400000")
    with (tmp_path / "log").open("wb") as log, start(small, log, *options, memory=3 << 30) as process:
        assert "error" in told(process)
        code = process.wait(timeout=20)
    assert "memory ran out" in str(diagnose(small, code, tmp_path / "log"))


def test_options_have_help() -> None:
    with pytest.raises(SystemExit) as caught:
        child.parse(["--help"])
    assert caught.value.code == 0
