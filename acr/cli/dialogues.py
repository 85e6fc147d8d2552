"""Conversations from files, from standard input, and from a running proxy's traces."""

import json
from collections.abc import Iterator
from typing import Any

from acr.cli import output
from acr.errors import ConfigError, ConversationError


def read(body: bytes, name: str) -> list[dict[str, Any]]:
    """The objects with `messages` in a file: one in all, one a line, or a list of messages alone.

    Traces of a proxy that keeps text are such objects. Raises `ConversationError` saying what is wrong.
    """
    text = body.decode("utf-8", "replace")
    try:
        whole = json.loads(text)
        found = [("", {"messages": whole} if isinstance(whole, list) else whole)]
    except (ValueError, RecursionError):
        found = [(f" line {number}", one) for number, one in lines(text, name)]
    if not found:
        raise ConversationError(f"{name} holds no conversation")
    for where, item in found:
        if not isinstance(item, dict) or not isinstance(item.get("messages"), list):
            wanted = "wanted is an object with a list named 'messages'"
            raise ConversationError(f"{name}{where}: {wanted}{_why(item)}")
    return [item for _, item in found]


def _why(item: Any) -> str:
    traced = isinstance(item, dict) and "version" in item and item.get("messages", 0) is None
    return "; this trace has no text, since the proxy does not keep it (ACR_KEEP_TEXT=true)" if traced else ""


def lines(text: str, name: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ConversationError(f"{name} line {number} is not JSON: {error}") from None


def load(source: str, url: str, key: str | None) -> list[dict[str, Any]]:
    """Conversations of a file, of standard input (`-`), or of the trace with that id of a running proxy.

    Raises `ConfigError` where there is neither such a file nor such a trace.
    """
    from pathlib import Path

    if source == "-" or Path(source).exists() or "/" in source or "." in source:
        return read(output.read(source), source)
    return read(trace(source, url, key), f"trace {source}")


def trace(id: str, url: str, key: str | None) -> bytes:
    """The trace of that id as the proxy at `url` has it. Raises `ConfigError` if it cannot be had."""
    from urllib.error import HTTPError
    from urllib.parse import quote
    from urllib.request import ProxyHandler, Request, build_opener

    if not url.startswith(("http://", "https://")):
        raise ConfigError(
            f"{url!r} is not a URL: wanted is that of a proxy, such as http://127.0.0.1:8300/v1"
        )
    request = Request(f"{url.rstrip('/')}/acr/decisions/{quote(id, safe='')}")
    if key:
        request.add_header("authorization", f"Bearer {key}")
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=30) as answer:
            body: bytes = answer.read()
            return body
    except HTTPError as error:
        why = {401: "it needs a key: --key", 404: "it has no such trace, or no longer"}
        error.close()
        reason = why.get(error.code, f"it answered {error.code}")
        raise ConfigError(f"there is no file {id!r}, and the proxy at {url}: {reason}") from None
    except OSError as error:
        reason = str(getattr(error, "reason", error))
        raise ConfigError(f"there is no file {id!r}, and no proxy at {url} ({reason})") from None
