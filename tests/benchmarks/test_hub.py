"""Data files by address, from a server on loopback."""

import hashlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from acr_benchmarks import hub, store
from aiohttp import web

from acr.errors import BenchmarkError

CONTENT = b'[{"task_id": "1"}]'
DIGEST = hashlib.sha256(CONTENT).hexdigest()


class Files:
    """Serves files by path, and remembers what was asked for."""

    def __init__(self) -> None:
        self.files = {"/items.json": CONTENT}
        self.asked: list[tuple[str, str | None]] = []
        self.url = ""

    async def get(self, request: web.Request) -> web.StreamResponse:
        self.asked.append((request.raw_path, request.headers.get("authorization")))
        if request.path == "/broken":
            response = web.StreamResponse(headers={"content-length": "100"})
            await response.prepare(request)
            await response.write(b"half")
            assert request.transport is not None
            request.transport.abort()
            return response
        if request.path == "/moved":
            raise web.HTTPFound("/items.json")
        content = self.files.get(request.raw_path)
        return web.Response(status=404) if content is None else web.Response(body=content)


@pytest.fixture
async def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Files]:
    monkeypatch.setenv("ACR_CACHE", str(tmp_path / "cache"))
    for name in ("HF_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    made = Files()
    app = web.Application()
    app.router.add_get("/{path:.*}", made.get)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield made
    await runner.cleanup()


async def test_a_file_is_fetched_once(files: Files) -> None:
    first = await hub.fetch(f"{files.url}/items.json")
    second = await hub.fetch(f"{files.url}/items.json#sha256={DIGEST}")
    assert first == second and first.name == "items.json" and first.read_bytes() == CONTENT
    assert len(files.asked) == 1
    assert (await hub.fetch(f"{files.url}/moved")).read_bytes() == CONTENT


async def test_a_hub_address_with_revision_and_token(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/datasets/microsoft/lost_in_conversation/resolve/main/data/all%20600.json"
    files.files[path] = CONTENT
    monkeypatch.setenv("HF_ENDPOINT", files.url + "/")
    monkeypatch.setenv("HF_TOKEN", "secret")
    await hub.fetch("hf://microsoft/lost_in_conversation/data/all 600.json")
    await hub.fetch(f"{files.url}/items.json")
    assert files.asked == [(path, "Bearer secret"), ("/items.json", None)]
    monkeypatch.delenv("HF_ENDPOINT")
    assert hub.location("hf://a/b@v1/c/d.json") == "https://huggingface.co/datasets/a/b/resolve/v1/c/d.json"
    with pytest.raises(BenchmarkError, match="hf://OWNER/NAME/FILE"):
        await hub.fetch("hf://microsoft/lost_in_conversation")


async def test_what_cannot_be_fetched_is_told_and_leaves_nothing(files: Files, tmp_path: Path) -> None:
    for path, message in (
        ("none.json", "status 404"),
        ("broken", r"cannot be fetched: .*--data FILE"),
        ("items.json#sha256=" + "0" * 64, "another SHA-256"),
    ):
        with pytest.raises(BenchmarkError, match=message):
            await hub.fetch(f"{files.url}/{path}")
    with pytest.raises(BenchmarkError, match="Without a network, give a file that you have"):
        await hub.fetch("http://127.0.0.1:9/items.json")
    assert not any(path.is_file() for path in (tmp_path / "cache").rglob("*"))


def test_secrets_of_an_address_are_not_recorded() -> None:
    assert hub.public("https://me:pw@host:8/a/b.json?sig=1#sha256=2") == "https://host:8/a/b.json"
    assert hub.public("hf://me/set@v1/b.json") == "hf://me/set@v1/b.json"


async def test_a_kept_file_that_was_changed_is_not_taken_for_the_one_asked_for(files: Files) -> None:
    address = f"{files.url}/items.json#sha256={DIGEST}"
    (await hub.fetch(address)).write_bytes(b"other")
    with pytest.raises(BenchmarkError, match="another SHA-256"):
        await hub.fetch(address)


async def test_a_run_on_fetched_data_says_where_it_is_from(
    files: Files, server, data: Path, tmp_path: Path
) -> None:
    import asyncio

    files.files["/items.json"] = data.read_bytes()  # noqa: ASYNC240
    address = f"{files.url}/items.json"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "acr_benchmarks", "run", "--data", address, "--base-url", server.url,
        "--setting", "full", "--out", str(tmp_path / "out"),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    facts = store.manifest(tmp_path / "out")["data"]["math"]
    assert facts == {
        "file": "items.json",
        "sha256": hashlib.sha256(json.dumps(json.loads(data.read_text())).encode()).hexdigest(),  # noqa: ASYNC240
        "from": address,
    }
    assert len(store.episodes(tmp_path / "out")) == 4
