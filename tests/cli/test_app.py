"""The command line as a whole."""

import subprocess
import sys
from importlib.metadata import EntryPoint, metadata
from pathlib import Path
from typing import Any

import pytest

from acr.cli import app as module
from acr.errors import ConfigError

PROGRAM = Path(sys.executable).with_name("acr")
SLOW = ("aiohttp", "langgraph", "openai", "pydantic", "rich", "starlette", "tiktoken", "uvicorn", "xllamacpp")


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100, check=False)


def test_an_error_is_one_line_on_standard_error_and_code_2() -> None:
    found = run("explain", "/nowhere.json")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "acr: cannot read /nowhere.json: No such file or directory\n"


def test_the_version_is_the_packages() -> None:
    assert run("--version").stdout == "acr 0.1.0\n"


def test_no_command_imports_what_it_does_not_need() -> None:
    code = f"import sys, acr.cli.app; print([name for name in {SLOW!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_help_names_every_command(acr: Any) -> None:
    text = acr("--help").output
    for name in ("serve", "demo", "explain", "operators", "model", "tokens", "doctor", "bench"):
        assert name in text


def test_a_mounted_command_gets_its_arguments() -> None:
    found = run("bench", "--help")
    assert found.returncode == 0
    assert "Usage: acr bench" in found.stdout


def test_a_mounted_command_that_cannot_be_loaded_is_an_error_only_when_called(
    acr: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = list(module.app.registered_commands)
    monkeypatch.setattr(module.app, "registered_commands", commands)
    module.mount(EntryPoint("broken", "no_such_package:app", module.COMMANDS))
    assert "broken" in acr("--help").output
    error = acr("broken").exception
    assert isinstance(error, ConfigError)
    assert "loading 'acr broken' from no_such_package:app failed" in str(error)


def test_a_command_whose_extra_is_missing_names_it(acr: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.app, "registered_commands", list(module.app.registered_commands))
    monkeypatch.setitem(module.NEEDS, "broken", "more")
    module.mount(EntryPoint("broken", "no_such_package:app", module.COMMANDS))
    error = acr("broken").exception
    assert isinstance(error, ConfigError)
    assert str(error) == (
        "'acr broken' needs no_such_package, which is not installed: "
        "pip install 'adaptive-context-refactoring[more]'"
    )
    extras = metadata("adaptive-context-refactoring").get_all("Provides-Extra") or []
    assert {"train", "bench"} <= set(module.NEEDS) <= {*extras, "broken"}
