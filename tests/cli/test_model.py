"""`acr model`."""

import json
from pathlib import Path
from typing import Any

import pytest

from acr import embedded
from acr.cli import model as module
from acr.errors import ModelError


def test_list_says_what_is_here(acr: Any, cache: Path) -> None:
    rows = {row["name"]: row for row in json.loads(acr("model", "list", "--json").stdout)}
    default = rows["qwen2.5-coder-1.5b-instruct"]
    assert default["default"] and default["state"] == "absent"
    assert default["path"].startswith(str(cache))
    assert default["sources"][0] == "hub repository Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF"
    text = acr("model", "list").stdout
    assert "smollm2-135m-instruct" in text and "1,117 MB" in text


def test_an_unknown_name_is_refused_before_anything_is_fetched(acr: Any, cache: Path) -> None:
    error = acr("model", "pull", "gpt-9").exception
    assert isinstance(error, ModelError)
    assert not cache.exists()


@pytest.mark.model
def test_pull_prints_the_path_and_nothing_else_on_standard_output(acr: Any, small: embedded.Model) -> None:
    found = acr("model", "pull", small.name)
    assert found.stdout == f"{embedded.store.path(small)}\n"


def test_the_bar_shows_sources_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with module.bar(100) as bar:
        bar.source("first")
        bar.at(40)
        bar.source("second")
        bar.at(1000)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "from first" in shown.err and "from second" in shown.err and "100/100 bytes" in shown.err
