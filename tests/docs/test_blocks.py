"""Every block of code in README.md and docs/ is run, in a folder of its page's own, or says why not.

`python` blocks of a page share one namespace, in front of a real proxy and a scripted model. `sh` blocks are run by
bash. A block with a title is that file; one with the title `prints` is what the block before must print.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.pages import ROOT, Block, blocks, pages
from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream
from typer.testing import CliRunner

BIN = Path(sys.executable).parent
ELSEWHERE = {"training.md": "tests/training/test_docs.py", "observability.md": "tests/web, tests/proxy"}
"""Pages whose blocks without a language are commands that other tests run."""
COMMAND = re.compile(r"^(\$ )?(?:[A-Z_]+=\S+ )*(acr|make|pip|curl|docker|python|export) ", re.MULTILINE)
GIVEN = [
    {"role": "user", "content": "Add 2 and 3."},
    {"role": "assistant", "content": "5"},
    {"role": "user", "content": "And 4."},
]
"""What pages call `messages`."""


@pytest.fixture(scope="module")
def proxy() -> Iterator[RunningProxy]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("ACR_", "OPENAI_"))]:
            patch.delenv(name)
        with ScriptedUpstream() as upstream, RunningProxy(upstream.url) as running:
            yield running


def by_name(page: Path) -> str:
    return page.name


@pytest.mark.filterwarnings("ignore")  # examples close nothing
@pytest.mark.parametrize("page", pages(), ids=by_name)
def test_the_blocks_of_a_page(
    page: Path, proxy: RunningProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("ACR_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{BIN}:{os.environ['PATH']}")
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    space: dict[str, Any] = {"__name__": "__main__", "messages": list(GIVEN)}
    printed = ""
    for block in blocks(page):
        if block.reason:
            continue
        if block.title == "prints":
            assert printed == block.text, f"{page.name}:{block.line}"
        elif block.title:
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
        elif block.language in ("python", "sh"):
            printed = run(block, space, proxy, f"{page.name}:{block.line}")


def run(block: Block, space: dict[str, Any], proxy: RunningProxy, where: str) -> str:
    """What the block prints."""
    text = block.text.replace("http://127.0.0.1:8300", proxy.root)
    if block.language == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, where, "exec", dont_inherit=True), space)
        return printed.getvalue()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, f"{where}: {done.stderr[-1000:]}"
    return done.stdout


@pytest.mark.parametrize("page", pages(), ids=by_name)
def test_a_command_is_not_hidden_in_a_block_that_no_test_looks_at(page: Path) -> None:
    if page.name in ELSEWHERE:
        pytest.skip(f"run by {ELSEWHERE[page.name]}")
    for block in blocks(page):
        if block.language in ("", "text", "console", "bash", "shell"):
            found = COMMAND.search(block.text) if page.name != "commands.md" else None
            assert found is None, f"{page.name}:{block.line}: make it an sh block: {found}"


def test_something_is_run_and_something_is_compared() -> None:
    found = [block for page in pages() for block in blocks(page)]
    assert sum(block.language == "python" and not block.reason for block in found) >= 4
    assert sum(block.language == "sh" and not block.reason for block in found) >= 2
    assert sum(block.title == "prints" for block in found) >= 2


def lines() -> list[tuple[str, list[str]]]:
    """Every line of a block that starts `acr`, wherever it stands, also if it is not run."""
    found = []
    for page in (*pages(), ROOT / "benchmarks" / "README.md"):
        for block in blocks(page):
            if page.name == "commands.md":  # made from --help
                continue
            for line in block.text.replace("\\\n", " ").splitlines():
                words = line.removeprefix("$ ").split("#")[0]
                words = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", words)
                if words.startswith("acr "):
                    found.append(
                        (f"{page.name}:{block.line}", shlex.split(re.split(r" [|>&;]", words)[0])[1:])
                    )
    return found


def test_every_acr_command_in_the_pages_is_one() -> None:
    """With its options: click refuses unknown ones before it shows help."""
    from importlib.metadata import entry_points

    from acr.cli.app import COMMANDS, app

    added = {entry.name: entry for entry in entry_points(group=COMMANDS)}
    found = lines()
    assert len(found) > 20
    runner = CliRunner()
    for where, words in found:
        mounted = words[0] in added
        target = added[words[0]].load() if mounted else app
        ran = runner.invoke(target, [*(words[1:] if mounted else words), "--help"])
        assert ran.exit_code == 0, f"{where}: acr {' '.join(words)}: {ran.output[-500:]}"
