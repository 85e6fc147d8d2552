"""docs/protocol.md names every header, error, control, route and limit that the code has, and no others."""

import re
from pathlib import Path

import pytest

from acr.proxy import own
from acr.proxy.app import DIALECTS
from acr.proxy.controls import FIELDS
from acr.proxy.openapi import description
from acr.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "acr" / "proxy").glob("*.py")))
ERRORS = PAGE.partition("## Errors of ACR's own")[2].partition("\n## ")[0]


def test_headers_of_answers_and_of_requests() -> None:
    code = set(re.findall(r"\"(x-acr-[a-z-]+)\"", CODE)) | {f"x-acr-{field}" for field in FIELDS}
    assert code == set(re.findall(r"`(x-acr-[a-z-]+)`", PAGE))


def test_errors_with_their_status() -> None:
    raised = re.findall(r"(?:Refused|error)\(\s*(\d{3}),\s*\"(\w+)\"", CODE)
    raised += [(str(status), code) for status, code in own.NAMES.items()]
    assert set(raised) == set(re.findall(r"^\| (\d{3}) \| `(\w+)`", ERRORS, re.MULTILINE))


@pytest.mark.parametrize("path", sorted(description("")["paths"]))
def test_own_endpoints(path: str) -> None:
    assert f"`GET {path}" in PAGE


@pytest.mark.parametrize("path", sorted(path for dialect in DIALECTS for path in dialect.paths))
def test_routes_that_are_read(path: str) -> None:
    assert f"`POST {path}`" in PAGE


def test_limits_stand_there_with_their_defaults() -> None:
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    for name in ("max_body_mb", "max_header_kb", "max_concurrency"):
        assert f"`{name}` ({defaults[name]:g})" in PAGE
    for name in (
        "connect_timeout",
        "first_byte_timeout",
        "idle_timeout",
        "shutdown_timeout",
        "cors_origins",
        "deadline",
    ):
        assert f"`{name}`" in PAGE
