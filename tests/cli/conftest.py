import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.models import cache, small
from support.upstream import ScriptedUpstream
from typer.testing import CliRunner, Result

__all__ = ["cache", "small"]


@pytest.fixture(autouse=True)
def _no_settings_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if (name.startswith("ACR_") and name != "ACR_CACHE") or name.startswith("OPENAI_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)


class Cli:
    """Runs the command line in this process. Standard output and error are told apart."""

    def __call__(self, *arguments: str, given: str | bytes | None = None) -> Result:
        from acr.cli.app import app

        return CliRunner().invoke(app, list(arguments), input=given)


@pytest.fixture
def acr() -> Cli:
    return Cli()


@pytest.fixture
def upstream() -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream() as running:
        yield running
