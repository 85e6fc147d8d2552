"""What an assertion is about: `up.main[1].messages`, `cl.headers.retry-after`, `obs.usage.total_tokens`, …"""

import gzip
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from support.http import Answer
from support.upstream import Received
from wire.case import CaseError, exact
from wire.run import Done, Result

from acr.dialects.sse import Event, EventDecoder

_part = re.compile(r"([^.\[\]]+)|\[(\d+|\*)\]")


class Missing:
    """There is nothing there."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


@dataclass
class Seen:
    """A value that was found, and where."""

    value: Any
    result: Result
    step: Done | None = None
    received: Received | None = None
    path: list[str | int] = field(default_factory=list)
    """Where in a body the value stands."""


def find(result: Result, on: str) -> list[Seen]:
    """All values that `on` names. Raises `CaseError` for a target that is not known."""
    parts: list[str | int] = [
        name if name else (index if index == "*" else int(index)) for name, index in _part.findall(on)
    ]
    root, rest = parts[0], parts[1:]
    if root == "up":
        return upstream(result, rest, on)
    if root == "cl":
        return [
            Seen(client(step, path, on), result, step, step.main[-1] if step.main else None, path[1:])
            for step, path in chosen(result, rest)
        ]
    if root == "obs":
        return [
            Seen(follow(observed(step), path), result, step, None, path)
            for step, path in chosen(result, rest)
            if step.trace is not None
        ]
    if on == "fn.estimate_tokens":
        return [
            Seen(step.pair.subject.estimate(step.request.raw or b""), result, step) for step in result.steps
        ]
    if on in ("log", "log.all_levels"):
        return [Seen(result.log, result)]
    if on == "store":
        return [Seen(step.pair.subject.stored(), result, step) for step in result.steps]
    if on == "proxy.open_upstream_connections":
        return [Seen(step.pair.subject.open_calls(), result, step) for step in result.steps]
    if on in ("net", "net.peers"):
        return [Seen(step.pair.subject.peers(), result, step) for step in result.steps]
    raise CaseError(f"unknown target {on!r}")


def chosen(result: Result, rest: list[str | int]) -> list[tuple[Done, list[str | int]]]:
    """The steps that `[i]`, `[*]` or no index mean, and what follows the index."""
    if rest and isinstance(rest[0], int):
        return [(result.steps[rest[0]], rest[1:])]
    if rest and rest[0] == "*":
        rest = rest[1:]
    return [(step, rest) for step in result.steps]


def upstream(result: Result, rest: list[str | int], on: str) -> list[Seen]:
    if rest == ["n_aux"]:
        return [Seen(len(result.aux), result)]
    if rest == ["n_main"]:
        return [Seen(sum(len(step.main) for step in result.steps), result)]
    if rest and rest[0] == "main":
        return [
            Seen(arrived(request, step, path, on), result, step, request, path[1:])
            for step, path in chosen(result, rest[1:])
            for request in step.main
        ]
    if rest and rest[0] == "aux":
        path = rest[1:]
        requests = result.aux
        if path and isinstance(path[0], int):
            requests, path = result.aux[path[0] : path[0] + 1], path[1:]
        return [
            Seen(arrived(request, result.steps[0], path, on), result, result.steps[0], request, path[1:])
            for request in requests
        ]
    raise CaseError(f"unknown target {on!r}")


def arrived(request: Received, step: Done, path: list[str | int], on: str) -> Any:
    """A part of a request as it reached the upstream."""
    name, rest = (path[0] if path else "request"), path[1:]
    if name == "raw":
        return request.body
    if name == "body":
        return follow(exact(request.body), rest)
    if name == "messages":
        body = exact(request.body)
        messages = body.get("messages", body.get("input", MISSING)) if isinstance(body, dict) else MISSING
        return follow(messages, rest)
    if name == "headers":
        return header(request.headers, rest)
    if name == "path":
        return request.target
    if name == "method":
        return request.method
    if name == "started":
        return request.started - step.sent
    if name in ("connection", "request"):
        return request
    raise CaseError(f"unknown target {on!r}")


def client(step: Done, path: list[str | int], on: str) -> Any:
    """A part of what the client got."""
    name, answer = (path[0] if path else "answer"), step.answer
    if name == "headers":
        return header(answer.headers, path[1:])
    if name in ("body", "body_after_own_decoding"):
        body = exact(decoded(answer))
        return follow(MISSING if body is None else body, path[1:])
    if len(path) > 1 or name not in WHOLE:
        raise CaseError(f"unknown target {on!r}")
    return WHOLE[name](step)


def ending(step: Done) -> str:
    failed = any(isinstance(item, dict) and item.get("error") for item in map(_json, events(step.answer)))
    return "error_event" if failed else step.answer.end


def closed(step: Done) -> Any:
    """Seconds between the upstream's last byte and the end of the client's answer."""
    ends = [request.finished for request in step.main if request.finished is not None]
    return step.answer.finished - max(ends) if ends else MISSING


WHOLE: dict[Any, Callable[[Done], Any]] = {
    "answer": lambda step: step.answer,
    "status": lambda step: step.answer.status,
    "raw": lambda step: step.answer.body,
    "sse": lambda step: events(step.answer),
    "text": lambda step: text(step.answer),
    "end": ending,
    "closed": closed,
}


def observed(step: Done) -> dict[str, Any]:
    """What the proxy's monitor read, with the first choice's parts at the top."""
    trace = step.trace
    answer: dict[str, Any] = (trace or {}).get("answer") or {}
    choices = answer.get("choices") or [{}]
    return {**choices[0], **answer}


def follow(value: Any, path: list[str | int]) -> Any:
    for part in path:
        if isinstance(value, dict | list) and (
            part in value if isinstance(value, dict) else fits(value, part)
        ):
            value = value[part]
        else:
            return MISSING
    return value


def fits(value: list[Any], part: str | int) -> bool:
    return isinstance(part, int) and part < len(value)


def header(headers: list[tuple[str, str]], path: list[str | int]) -> Any:
    if not path:
        return headers
    return next((value for name, value in headers if name.lower() == path[0]), MISSING)


def decoded(answer: Answer) -> bytes:
    """The body with its content coding undone as a client would, by what the headers say."""
    coding = (answer.header("content-encoding") or "identity").lower()
    if coding == "gzip":
        return gzip.decompress(answer.body)
    if coding == "deflate":
        return zlib.decompress(answer.body)
    return answer.body


def events(answer: Answer) -> list[Event]:
    decoder = EventDecoder()
    return decoder.feed(decoded(answer)) + decoder.close()


def _json(event: Event) -> Any:
    return exact(event.data)


def text(answer: Answer) -> str:
    """The text of the first choice, streamed or not."""
    document = exact(decoded(answer))
    bodies = [document] if isinstance(document, dict) else [_json(event) for event in events(answer)]
    found: list[str] = []
    for body in bodies:
        if not isinstance(body, dict):
            continue
        if isinstance(body.get("delta"), str) and body.get("type") == "response.output_text.delta":
            found.append(body["delta"])
        if isinstance(body.get("delta"), dict) and isinstance(body["delta"].get("text"), str):
            found.append(body["delta"]["text"])
        found += [block.get("text") or "" for block in body.get("content") or ()]
        for item in body.get("output") or ():
            found += [part.get("text") or "" for part in item.get("content") or ()]
        for choice in body.get("choices") or ():
            if choice.get("index", 0) == 0:
                found.append((choice.get("delta") or choice.get("message") or {}).get("content") or "")
    return "".join(found)
