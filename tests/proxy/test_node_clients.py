"""Clients from npm, direct and through the proxy: what they print and what they send is the same.

Installed once into the user's cache folder, at the versions of `node/package-lock.json`. Skipped without node,
and where npm's registry cannot be reached.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream
from support.vendors import any_api

HERE = Path(__file__).parent / "node"
MANIFEST = ("package.json", "package-lock.json")


@pytest.fixture(scope="module")
def installed() -> Path:
    """A folder with the scripts and the packages they need."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are not here")
    version = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in MANIFEST)).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "acr-tests"
    folder = cache / f"node-{version}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, ignore_cleanup_errors=True) as name:
            work = Path(name, "packages")
            work.mkdir()
            for file in MANIFEST:
                shutil.copy(HERE / file, work)
            install(npm, work)
            work.rename(folder)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, folder)
    return folder


def install(npm: str, folder: Path) -> None:
    command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)
    except subprocess.TimeoutExpired:
        pytest.skip("npm's registry did not answer in time")
    if done.returncode:
        pytest.skip(f"npm could not install the clients: {done.stderr.strip().splitlines()[:1]}")


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("script", "said", "calls"),
    [
        ("openai.mjs", "type: 'response.completed'", 3),
        ("ai.mjs", "participants: [ 'Alice', 'Bob' ]", 3),
    ],
)
def test_examples(
    script: str, said: str, calls: int, installed: Path, upstream: ScriptedUpstream, proxy: RunningProxy
) -> None:
    upstream.script = any_api
    seen: list[Any] = []
    for url in (upstream.url, proxy.url):
        upstream.received.clear()
        env = {
            "PATH": os.environ["PATH"],
            "OPENAI_BASE_URL": url,
            "OPENAI_API_KEY": "sk-FAKE",
            "NO_COLOR": "1",
        }
        done = subprocess.run(
            ["node", script], cwd=installed, env=env, capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 0, done.stderr
        assert "ok" in done.stdout and said in done.stdout
        seen.append((done.stdout, [(each.target, each.body) for each in upstream.received]))
    assert seen[0] == seen[1] and len(seen[0][1]) == calls
