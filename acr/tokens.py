"""Token counts without a network.

tiktoken fetches its vocabulary on first use. ACR ships `o200k_base` (see `acr/data/README.md`) and puts it
where tiktoken looks for a cached copy; tiktoken itself verifies the SHA-256. Counts for models with
another tokenizer are estimates; they serve comparisons (before, after), never a bill.
"""

import gzip
import hashlib
import os
import tempfile
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from acr.conversation import Conversation, Turn
from acr.memo import Memo

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
_URL = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"

PER_MESSAGE = 4
"""Tokens that chat templates spend on one message beside its text."""
PER_ATTACHMENT = 800
"""Flat estimate for an image, a sound or a file: about what vision models bill for a 1024-pixel image."""


_providing = Lock()


@lru_cache(maxsize=1)
def encoding() -> "tiktoken.Encoding":
    """The vocabulary, loaded once (about 0.3 s). Text such as `<|endoftext|>` counts as plain text.

    Threads that ask at once get the same: tiktoken has a lock and keeps what it has loaded.
    """
    import tiktoken

    cache = os.environ.get("TIKTOKEN_CACHE_DIR")
    if cache is None:
        cache = str(_cache_dir())
        os.environ["TIKTOKEN_CACHE_DIR"] = cache
    with _providing:
        _provide(Path(cache))
    found = tiktoken.get_encoding(ENCODING)
    getattr(found, "_mergeable_ranks", {}).clear()  # 29 MB: Python's copy, which nothing asks for any more
    return found


def _cache_dir() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    path = (Path(base) if base else Path.home() / ".cache") / "acr" / "tiktoken"
    try:
        path.mkdir(parents=True, exist_ok=True)
        return path
    except OSError:  # a read-only home, as in many containers
        return Path(tempfile.mkdtemp(prefix="acr-tiktoken-"))


def _provide(cache: Path) -> None:
    target = cache / hashlib.sha1(_URL.encode(), usedforsecurity=False).hexdigest()
    if target.exists():
        return
    try:
        cache.mkdir(parents=True, exist_ok=True)
        packed = (files("acr") / "data" / f"{ENCODING}.tiktoken.gz").read_bytes()
        part = target.with_suffix(f".{os.getpid()}")
        part.write_bytes(gzip.decompress(packed))
        part.replace(target)  # atomic: several workers may start at once
    except OSError:
        return  # tiktoken will then try the network and say what is missing


def _count(text: str) -> int:
    try:
        return len(encoding().encode_ordinary(text))
    except UnicodeEncodeError:  # lone surrogates
        return len(encoding().encode_ordinary(text.encode("utf-8", "replace").decode()))


count = Memo(_count)
"""Tokens of a text. Never raises for any string."""


def count_turn(turn: Turn) -> int:
    """Estimated prompt tokens of one turn, tool calls and attachments included."""
    total = PER_MESSAGE + count(turn.text)
    if turn.attached:
        total += PER_ATTACHMENT * max(1, _attachments(turn))
    if turn.calls:
        total += count(str(turn.wire.get("tool_calls") or turn.wire.get("content") or turn.wire))
    return total


def _attachments(turn: Turn) -> int:
    content = turn.wire.get("content")
    if not isinstance(content, list):
        return 1
    return sum(1 for part in content if not (isinstance(part, dict) and isinstance(part.get("text"), str)))


def count_conversation(conversation: Conversation) -> int:
    """Estimated prompt tokens of all turns."""
    return sum(map(count_turn, conversation))
