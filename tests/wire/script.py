"""The scripted upstream of a case: which reply goes to which request."""

import base64
import json
import threading
from typing import Any

from support.upstream import Received, Reply, completion, ok
from wire.case import CaseError, encode, exact, expand, known, pairs

STEP_HEADER = "x-harness-step"
"""Sent with each request of a client. A relay passes it on; a call of the proxy's own lacks it."""
FIELDS = {
    *(
        "for",
        "status",
        "headers",
        "extra_headers",
        "json",
        "text",
        "body_b64",
        "chunks_b64",
        "end",
        "connect",
    ),
    *("delay_ms", "delays_ms", "hang", "disconnect", "transfer", "reject_if", "only_if_request_has"),
}
ENDS = {"clean", "abort", "hang"}
RECAP = "The user asked a few things and the assistant answered them."


class Script:
    """Takes replies in order, per target and, where a step has its own, per step. The last one repeats."""

    def __init__(self, replies: list[dict[str, Any]], of_steps: dict[int, list[dict[str, Any]]]) -> None:
        self.shared = [checked(reply) for reply in replies]
        self.of_steps = {step: [checked(reply) for reply in rows] for step, rows in of_steps.items()}
        self.taken: dict[Any, int] = {}
        self.lock = threading.Lock()

    @property
    def refused(self) -> bool:
        return any(reply.get("connect") == "refused" for reply in self.shared)

    def __call__(self, request: Received) -> Reply:
        step = step_of(request)
        target = "aux" if step is None else "main"
        own = self.of_steps.get(step if step is not None else -1)
        replies = [reply for reply in (own or self.shared) if reply.get("for", "main") == target]
        if not replies:
            return ok(request) if target == "main" else Reply.of_json(completion(RECAP))
        asked = exact(request.body)
        special = [r for r in replies if "only_if_request_has" in r and has(asked, r["only_if_request_has"])]
        usual = [reply for reply in replies if "only_if_request_has" not in reply]
        chosen = special or usual
        if not chosen:
            return ok(request)
        with self.lock:
            key = (target, step if own else None, bool(special))
            index = self.taken.get(key, 0)
            self.taken[key] = index + 1
        return made(chosen[min(index, len(chosen) - 1)], asked)


def step_of(request: Received) -> int | None:
    """The step that a request at the upstream belongs to; None for a call of the proxy's own."""
    value = request.header(STEP_HEADER)
    return int(value) if value is not None and value.isdigit() else None


def checked(reply: dict[str, Any]) -> dict[str, Any]:
    known(reply, FIELDS, "reply")
    for name, allowed in (
        ("for", {"main", "aux"}),
        ("end", ENDS),
        ("connect", {"refused"}),
        ("transfer", {"chunked", "length"}),
        ("disconnect", {True, False}),
    ):
        if name in reply and reply[name] not in allowed:
            raise CaseError(f"reply: {name} cannot be {reply[name]!r}")
    return reply


def made(spec: dict[str, Any], asked: Any) -> Reply:
    """The reply that a spec describes."""
    condition = spec.get("reject_if")
    if condition is not None and rejects(condition, asked):
        error = {"error": {"message": "refused by the upstream", "type": "invalid_request_error"}}
        return Reply.of_json(error, 400)
    headers = [
        (name, value)
        for name, value in pairs(spec.get("headers", {})) + pairs(spec.get("extra_headers", {}))
        if value != "AUTO"
    ]
    chunks = chunks_of(spec)
    names = {name.lower() for name, _ in headers}
    whole = spec.get("transfer", "chunked" if "chunks_b64" in spec else "length") == "length"
    if whole and "content-length" not in names and spec.get("end", "clean") == "clean":
        headers.append(("content-length", str(sum(map(len, chunks)))))
        names.add("content-length")
    return Reply(
        chunks=chunks if "content-length" in names or len(chunks) != 1 else [*chunks, b""],
        status=spec.get("status", 200),
        headers=headers,
        end=spec.get("end", "clean"),
        delay=spec.get("delay_ms", 0) / 1000,
        delays=[delay / 1000 for delay in spec.get("delays_ms", [])],
        silent=bool(spec.get("hang")),
        disconnect=bool(spec.get("disconnect")),
    )


def chunks_of(spec: dict[str, Any]) -> list[bytes]:
    if "chunks_b64" in spec:
        return [base64.b64decode(chunk) for chunk in spec["chunks_b64"]]
    if "body_b64" in spec:
        return [base64.b64decode(spec["body_b64"])]
    if "json" in spec:
        return [encode(expand(spec["json"]))]
    return [str(expand(spec.get("text", ""))).encode()]


def has(asked: Any, path: str) -> bool:
    """Whether a request has something at a dotted path that is not null or false."""
    for name in path.split("."):
        if not isinstance(asked, dict) or name not in asked:
            return False
        asked = asked[name]
    return asked not in (None, False)


def rejects(condition: Any, asked: Any) -> bool:
    """A path that must not be there, or a text that must not occur anywhere in the request."""
    if isinstance(condition, str):
        return (
            has(asked, condition)
            if condition.replace(".", "").replace("_", "").isalnum()
            else (condition in json.dumps(asked, default=str, ensure_ascii=False))
        )
    if isinstance(condition, dict):
        return all(has(asked, path) == bool(wanted) for path, wanted in condition.items())
    raise CaseError(f"reply: reject_if cannot be {condition!r}")
