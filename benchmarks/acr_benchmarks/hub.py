"""Data files by address: `https://…`, or `hf://OWNER/NAME/FILE` for a data set on the Hugging Face hub.

    hf://microsoft/lost_in_conversation/lost_in_conversation.json
    hf://OWNER/NAME@REVISION/FILE
    https://example.org/items.json#sha256=8c7d…

Fetched once and kept in ACR's cache folder, under a digest of the address; a run records the file's own
SHA-256 and refuses to go on with another. `HF_ENDPOINT` names a mirror of the hub, `HF_TOKEN` is sent to
the hub only.
"""

import hashlib
import os
from pathlib import Path, PurePosixPath
from urllib.parse import quote, urlsplit, urlunsplit

import aiohttp

from acr.embedded.store import cache
from acr.errors import BenchmarkError

HUB = "https://huggingface.co"
SCHEMES = ("https://", "http://", "hf://")
PIECE = 1 << 16
SILENCE = 60.0
"""Seconds without a byte after which a transfer is given up."""


def is_address(data: str) -> bool:
    return data.startswith(SCHEMES)


def public(address: str) -> str:
    """An address without what may be secret in it: a user's name and password, a query with a signature."""
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def location(address: str) -> str:
    """The URL of an address. Raises `BenchmarkError` for a hub address that names no file."""
    if not address.startswith("hf://"):
        return address.partition("#")[0]
    owner, _, rest = address.removeprefix("hf://").partition("#")[0].partition("/")
    name, _, file = rest.partition("/")
    name, _, revision = name.partition("@")
    if not (owner and name and file):
        raise BenchmarkError(f"{address} names no file of a data set: hf://OWNER/NAME/FILE")
    hub = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
    return f"{hub}/datasets/{owner}/{name}/resolve/{quote(revision or 'main', safe='')}/{quote(file)}"


def wanted(address: str) -> str | None:
    """The SHA-256 that the address itself asks for, after `#sha256=`."""
    _, found, digest = address.partition("#sha256=")
    return digest.lower() if found else None


async def fetch(address: str) -> Path:
    """The file at an address, from the cache if it is there.

    Raises `BenchmarkError` if it cannot be fetched or is not the one that the address asks for.
    """
    url, digest = location(address), wanted(address)
    name = PurePosixPath(urlsplit(url).path).name or "data"
    folder = cache() / "data" / hashlib.sha256(url.encode()).hexdigest()[:16]
    kept = folder / name
    if not kept.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f"{name}.{os.getpid()}.part"
            try:
                await transfer(url, part, token(address))
                check(part, digest, address)
                part.replace(kept)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise BenchmarkError(f"{kept} cannot be written: {error}") from error
    check(kept, digest, address)
    return kept


def check(file: Path, digest: str | None, address: str) -> None:
    """Raise `BenchmarkError` if the file is not the one that was asked for."""
    if digest is not None and hashlib.sha256(file.read_bytes()).hexdigest() != digest:
        raise BenchmarkError(f"what is at {address.partition('#')[0]} has another SHA-256 than asked for")


def token(address: str) -> str | None:
    return os.environ.get("HF_TOKEN") if address.startswith("hf://") else None


async def transfer(url: str, target: Path, token: str | None) -> None:
    """Write what is at `url` into a file. Raises `BenchmarkError` if that fails for whatever reason."""
    headers = {"authorization": f"Bearer {token}"} if token else None
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=SILENCE, sock_read=SILENCE)
    try:
        async with (
            aiohttp.ClientSession(trust_env=True, timeout=timeout) as session,
            session.get(url, headers=headers) as response,
        ):
            if response.status != 200:
                raise BenchmarkError(f"{url} cannot be fetched: status {response.status}")
            with target.open("wb") as file:
                async for piece in response.content.iter_chunked(PIECE):
                    file.write(piece)
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise BenchmarkError(
            f"{url} cannot be fetched: {reason}. Without a network, give a file that you have: --data FILE"
        ) from error
