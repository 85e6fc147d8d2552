"""The tables in the pages are those of the code."""

import importlib.util
import re
import subprocess
import sys
from types import ModuleType

import pytest
from support.pages import ROOT


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "reference.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_table_is_stale() -> None:
    found = subprocess.run(
        [sys.executable, ROOT / "docs" / "reference.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == "stale: none\n", f"{found.stdout}{found.stderr}: run python docs/reference.py"


def test_a_table_that_differs_is_found_and_renewed(reference: ModuleType) -> None:
    text = "before\n<!-- generated: settings -->\nstale words\n<!-- /generated -->\nafter\n"
    new = reference.renewed(text)
    assert "stale words" not in new and "| `port` | `ACR_PORT` | `8300` |" in new
    assert new.startswith("before\n") and new.endswith("\nafter\n")
    assert reference.renewed(new) == new


def test_every_table_stands_in_a_page(reference: ModuleType) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    assert set(re.findall(r"<!-- generated: ([a-z]+) -->", text)) == set(reference.TABLES)


def test_every_command_and_its_options_are_told(reference: ModuleType) -> None:
    text = reference.commands()
    for command in ("serve", "init", "explain", "model pull", "bench run", "train collect", "shard"):
        assert re.search(rf"^#+ `acr {command}`$", text, re.MULTILINE), command
    assert "--upstream" in text and "--force" in text and "<!--" not in text


def headers() -> set[str]:
    """Names of headers and endpoints that the proxy's source has."""
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "acr" / "proxy").glob("*.py"))
    from acr.proxy.controls import FIELDS

    answers = set(re.findall(r"b?\"(x-acr-[a-z-]+[a-z])\"", source))
    return answers | {f"x-acr-{field}" for field in FIELDS}


def test_every_header_is_in_the_protocol_and_no_other() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(x-acr-[a-z-]+[a-z])`", page))
    assert told == headers()


def test_every_signal_is_in_its_page_and_every_operator_in_the_catalogue() -> None:
    from acr.registry import OPERATORS, available
    from acr.signals import FAMILIES

    page = (ROOT / "docs" / "signals.md").read_text(encoding="utf-8")
    assert [name for name in FAMILIES if f"`{name}`" not in page] == []
    catalogue = (ROOT / "operators" / "README.md").read_text(encoding="utf-8")
    assert [name for name in available(OPERATORS) if f"| `{name}` |" not in catalogue] == []


def test_every_endpoint_is_in_the_protocol() -> None:
    source = (ROOT / "acr" / "proxy" / "own.py").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    paths = re.findall(r"Route\(\"([^\"]+)\"", source)
    assert len(paths) > 5
    for path in paths:
        assert f"GET {path}" in page, path


def test_every_shown_code_of_an_error_exists() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    codes = re.findall(r"^\| [45]\d\d \| `([a-z_]+)`", page, re.MULTILINE)
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "acr").rglob("*.py"))
    assert len(codes) > 10
    assert [code for code in codes if f'"{code}"' not in source] == []
