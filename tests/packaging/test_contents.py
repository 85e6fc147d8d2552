"""What is in the wheel and in the source archive, and what is not."""

import hashlib
import os
import re
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest
from support.pages import ROOT

PACKAGES = {
    "acr": ROOT / "acr",
    "acr_operators": ROOT / "operators" / "acr_operators",
    "acr_training": ROOT / "training" / "acr_training",
    "acr_benchmarks": ROOT / "benchmarks" / "acr_benchmarks",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DATA = Path(os.environ.get("ACR_TEST_DATA", ROOT.parent / "shared")) / "data"


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Iterator[zipfile.ZipFile]:
    (file,) = dist.glob("*.whl")
    with zipfile.ZipFile(file) as opened:
        yield opened


@pytest.fixture(scope="module")
def source(dist: Path) -> dict[str, bytes]:
    """Files of the source archive, without its own folder."""
    (file,) = dist.glob("*.tar.gz")
    with tarfile.open(file) as opened:
        members = [member for member in opened.getmembers() if member.isfile()]
        return {
            member.name.partition("/")[2]: content.read()
            for member in members
            if (content := opened.extractfile(member)) is not None
        }


def ignored(files: list[str]) -> set[str]:
    """Those that git leaves out, caches for one."""
    found = subprocess.run(
        ["git", "check-ignore", "--stdin"],
        cwd=ROOT,
        input="\n".join(files),
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode > 1:
        pytest.skip("this is no checkout")
    return set(found.stdout.splitlines())


def test_the_wheel_has_every_file_of_the_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    expected = {}
    for name, folder in PACKAGES.items():
        for file in folder.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                expected[f"{name}/{file.relative_to(folder).as_posix()}"] = file
    left_out = ignored([str(file.relative_to(ROOT)) for file in expected.values()])
    wanted = {name for name, file in expected.items() if str(file.relative_to(ROOT)) not in left_out}
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == wanted


@pytest.mark.parametrize(
    "name",
    [
        "acr/py.typed",
        "acr/data/o200k_base.tiktoken.gz",
        "acr/data/common_words.txt",
        "acr/web/static/index.html",
        "acr/web/static/style.css",
        "acr_benchmarks/prices.toml",
        "acr_benchmarks/data/math.jsonl",
        "acr_benchmarks/data/controls.jsonl",
    ],
)
def test_data_that_is_needed_at_run_time_is_there(wheel: zipfile.ZipFile, name: str) -> None:
    assert name.endswith(".typed") or wheel.getinfo(name).file_size > 500


def test_metadata_is_the_projects(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = message_from_bytes(wheel.read(name))
    import acr

    assert metadata["Name"] == PROJECT["name"]
    assert metadata["Version"] == PROJECT["version"] == acr.__version__
    assert metadata["License-Expression"] == "Apache-2.0"
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())
    (entries,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    text = wheel.read(entries).decode()
    assert "acr = acr.cli:main" in text
    assert text.count("[acr.") == len(PROJECT["entry-points"])


def test_the_source_archive_can_be_worked_with(source: dict[str, bytes]) -> None:
    wanted = {
        "pyproject.toml", "constraints.txt", "Makefile", "mkdocs.yml", "LICENSE", "README.md", "CHANGELOG.md",
        ".ci/run", "docs/index.md", "docs/pictures/way.svg", "examples/README.md", "deploy/Dockerfile",
        "deploy/compose.yaml", "tests/conftest.py", "benchmarks/README.md", "operators/README.md",
    }  # fmt: skip
    assert wanted <= set(source)


def test_nothing_of_a_machine_is_in_the_source_archive(source: dict[str, bytes]) -> None:
    top = {name.split("/")[0] for name in source}
    assert not top & {".venv", ".git", "runs", "build", "dist", "shared", "acr.toml"}
    assert not [name for name in source if "__pycache__" in name or name.endswith(".pyc")]
    assert sum(map(len, source.values())) < 30_000_000
    home = re.compile(rb"/(?:home|Users)/(?!user\b|you\b|me\b)[a-z]\w+/")
    assert [name for name, text in source.items() if home.search(text)] == []


@pytest.mark.data
def test_no_data_that_is_for_tests_only_is_given_away(
    wheel: zipfile.ZipFile, source: dict[str, bytes]
) -> None:
    if not DATA.is_dir():
        pytest.skip(f"no {DATA}: set ACR_TEST_DATA to a folder that has data")
    given = {hashlib.sha256(text).digest() for text in source.values()}
    given |= {hashlib.sha256(wheel.read(name)).digest() for name in wheel.namelist()}
    files = [file for file in DATA.rglob("*") if file.is_file() and 100 < file.stat().st_size < 20_000_000]
    assert files
    assert [file.name for file in files if hashlib.sha256(file.read_bytes()).digest() in given] == []
