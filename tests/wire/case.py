"""Cases of the wire, one JSON object a line: what a client sends, what the upstream answers, what must hold.

A field that is not known here is an error: a case must never pass because part of it was not understood.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CASE = {
    "id",
    "split",
    "kind",
    "title",
    "source",
    "setup",
    "request",
    "steps",
    "upstream",
    "expected",
    "assert",
}
REQUEST = {"method", "path", "headers", "body", "body_b64", "abort_after_ms"}
STEP = {"request", "setup", "upstream"}
HINTS = {
    *("intervene", "env", "parallel", "stagger_ms", "store", "mode", "keep_last", "window_tokens"),
    *("trigger", "triggers", "helper_deadline_s", "helper_window_tokens", "helper_model", "helper_retries"),
}
"""Keys of `setup`. All but intervene, env, parallel and stagger_ms are hints that nothing here must obey."""
INTERVENE = {"none", "any", "recap", "consolidate", "reask", "prune", "snowball"}


class CaseError(Exception):
    """A case says something that the harness does not understand."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: list[tuple[str, str]]
    raw: bytes | None
    abort_after: float | None = None

    @property
    def body(self) -> Any:
        return None if self.raw is None else exact(self.raw)


@dataclass(frozen=True)
class Step:
    request: Request
    intervene: str
    env: Mapping[str, str]
    upstream: list[dict[str, Any]] | None
    """Replies of its own, or None if those of the case go on."""


@dataclass(frozen=True)
class Case:
    id: str
    kind: str
    title: str
    steps: list[Step]
    upstream: list[dict[str, Any]]
    parallel: bool
    stagger: float
    checks: list[dict[str, Any]] = field(default_factory=list)


def load(path: Path) -> list[Case]:
    """All cases of a file, one for each of their variants. Raises `CaseError`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [case for line in lines if line.strip() for case in read(json.loads(line))]


def read(row: dict[str, Any]) -> Iterator[Case]:
    known(row, CASE, "case")
    id = row["id"]
    if ("request" in row) == ("steps" in row):
        raise CaseError(f"{id}: there must be either a request or steps")
    setup = row.get("setup", {})
    rows = row.get("steps") or [{"request": row["request"]}]
    for number, replies in enumerate(variants(row.get("upstream", []))):
        steps = [step(id, each, setup) for each in rows]
        if not row["assert"]:
            raise CaseError(f"{id} asserts nothing")
        yield Case(
            id=f"{id}/{number}" if number else id,
            kind=row.get("kind", ""),
            title=row.get("title", ""),
            steps=steps,
            upstream=replies,
            parallel=bool(setup.get("parallel")),
            stagger=setup.get("stagger_ms", 0) / 1000,
            checks=row["assert"],
        )


def step(id: str, row: dict[str, Any], outer: dict[str, Any]) -> Step:
    known(row, STEP, f"step of {id}")
    setup = {**outer, **row.get("setup", {})}
    known(setup, HINTS, f"setup of {id}")
    intervene = setup.get("intervene", "none")
    if intervene not in INTERVENE:
        raise CaseError(f"{id}: unknown intervene {intervene!r}")
    return Step(request(id, row["request"]), intervene, setup.get("env", {}), row.get("upstream"))


def request(id: str, row: dict[str, Any]) -> Request:
    known(row, REQUEST, f"request of {id}")
    raw: bytes | None = None
    if "body_b64" in row:
        raw = base64.b64decode(row["body_b64"])
    elif "body" in row:
        raw = encode(expand(row["body"]))
    headers = [(name, value) for name, value in pairs(row.get("headers", {})) if value != "AUTO"]
    abort = row.get("abort_after_ms")
    return Request(row["method"], row["path"], headers, raw, None if abort is None else abort / 1000)


def variants(replies: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The script once with each variant of its first reply that has some."""
    at = next((index for index, reply in enumerate(replies) if "variants" in reply), None)
    if at is None:
        yield replies
        return
    plain = {key: value for key, value in replies[at].items() if key != "variants"}
    for variant in replies[at]["variants"]:
        for rest in variants(replies[at + 1 :]):
            yield [*replies[:at], {**plain, **variant}, *rest]


def pairs(headers: Mapping[str, Any] | list[list[str]]) -> list[tuple[str, str]]:
    """Headers as pairs; a list as a value stands for several headers of that name."""
    if isinstance(headers, list):
        return [(name, value) for name, value in headers]
    found: list[tuple[str, str]] = []
    for name, value in headers.items():
        found += [(name, str(each)) for each in (value if isinstance(value, list) else [value])]
    return found


def expand(value: Any) -> Any:
    """Undo the macros: `{"$repeat": [text, n]}` and `{"$concat": [...]}`."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$repeat"}:
        text, count = value["$repeat"]
        return expand(text) * count
    if set(value) == {"$concat"}:
        return "".join(expand(item) for item in value["$concat"])
    if any(key.startswith("$") for key in value):
        raise CaseError(f"unknown macro in {sorted(value)}")
    return {key: expand(item) for key, item in value.items()}


def encode(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value).encode()


@dataclass(frozen=True)
class Number:
    """A number as it was written: 1 and 1.0 differ, and no digit is lost."""

    written: str

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Number):
            return self.kind == other.kind and self.value == other.value
        return isinstance(other, int | float) and not isinstance(other, bool) and self.value == other

    def __hash__(self) -> int:
        return hash(self.value)

    @property
    def kind(self) -> type:
        return int if self.written.lstrip("-").isdigit() else float

    @property
    def value(self) -> Any:
        from decimal import Decimal

        return Decimal(self.written)

    def __float__(self) -> float:
        return float(self.written)


def exact(raw: bytes | str) -> Any:
    """JSON with numbers as `Number`; None if it is none."""
    try:
        return json.loads(raw, parse_int=Number, parse_float=Number)
    except (ValueError, RecursionError):
        return None


def known(row: Mapping[str, Any], fields: set[str], where: str) -> None:
    unknown = set(row) - fields
    if unknown:
        raise CaseError(f"{where}: unknown {', '.join(sorted(unknown))}")
