"""The pages as a site: built strictly, and nothing in it needs another host."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from support.pages import ROOT

OUR_TEXT = re.compile(r"<a [^>]*>|<code>.*?</code>", re.DOTALL)
FETCHED = re.compile(r"(?:src|href|data-src)=\"(?:https?:)?//[^\"]+|url\((?:https?:)?//[^)]+|@import[^;]+")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if importlib.util.find_spec("material") is None:
        pytest.skip("mkdocs-material is not installed: pip install 'adaptive-context-refactoring[docs]'")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    yield folder


def test_pages_from_beside_the_code_are_there(site: Path) -> None:
    assert "acr bench run" in (site / "benchmark.html").read_text(encoding="utf-8")
    assert "Writing one" in (site / "operator-library.html").read_text(encoding="utf-8")
    assert 'href="examples.html"' in (site / "start.html").read_text(encoding="utf-8")


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = OUR_TEXT.sub("", page.read_text(encoding="utf-8"))
        found = [each for each in FETCHED.findall(text) if 'rel="canonical"' not in each]
        assert not found, (page.name, found)
    for style in site.rglob("*.css"):
        assert not FETCHED.findall(style.read_text(encoding="utf-8")), style.name


def test_no_code_of_the_docs_folder_is_published(site: Path) -> None:
    assert not list(site.rglob("*.py"))


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    pytest.importorskip("mkdocs")
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("folder", "text", "expected"),
    [
        ("docs", "[a](../operators/README.md#b)", "[a](operator-library.md#b)"),
        ("docs", "[`a`](signals.md)", "[`a`](signals.md)"),
        ("operators", "[a](../docs/signals.md)", "[a](signals.md)"),
        ("docs", "see [the file](../pyproject.toml).", "see the file."),
        ("docs", "[a](https://example.org)", "[a](https://example.org)"),
        ("docs", "[a](#b)", "[a](#b)"),
        ("docs", "[a](../gone.md)", "[a](../gone.md)"),
        ("docs", "![a](pictures/way.svg)", "![a](pictures/way.svg)"),
        ("docs", "```\n[a](../pyproject.toml)\n```", "```\n[a](../pyproject.toml)\n```"),
    ],
)
def test_links(hooks: ModuleType, folder: str, text: str, expected: str) -> None:
    assert hooks.relinked(text, folder) == expected
