"""Whatever a request looks like: where ACR does not intervene, its bytes and those of the answer are the same.

Half of the requests force an operator: where it finds nothing to do, or may not, the same holds, and where it
acts the answer's bytes still do. `--many N` sets how many generated requests each dialect gets; 10000 take a
minute or two.
"""

import json
import random
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream

from acr import registry
from acr.engine import Engine, model_backed

Make = Callable[[random.Random], Any]
NUMBERS = [
    "1e-07",
    "1.0",
    "-0",
    "0.10",
    "12345678901234567890",
    "1E+2",
    "true",
    "null",
    '"\\u00e9\\/"',
    '"\\ud83d"',
]


def text(rng: random.Random) -> str:
    return "".join(rng.choice('aé京🦊 \n"\\{}[]<>|\x00\u2028') for _ in range(rng.randrange(12)))


def part(rng: random.Random, kinds: list[str]) -> dict[str, Any]:
    kind = rng.choice(kinds)
    made: dict[str, Any] = {"type": kind}
    made |= {"text": text(rng)} if "text" in kind else {"vendor": {"x": [text(rng)]}}
    return made | ({"cache_control": {"type": "ephemeral"}} if rng.random() < 0.1 else {})


def content(rng: random.Random, kinds: list[str]) -> Any:
    if rng.random() < 0.5:
        return text(rng)
    return None if rng.random() < 0.1 else [part(rng, kinds) for _ in range(rng.randrange(4))]


def chat(rng: random.Random) -> list[Any]:
    rows: list[Any] = []
    for _ in range(rng.randrange(8)):
        role = rng.choice(["system", "developer", "user", "assistant", "tool", "critic"])
        row = {"role": role, "content": content(rng, ["text", "image_url", "input_audio", "refusal"])}
        if role == "assistant" and rng.random() < 0.4:
            row["tool_calls"] = [{"id": f"c{rng.randrange(3)}", "function": {"arguments": "{}"}}]
        if role == "tool":
            row["tool_call_id"] = f"c{rng.randrange(3)}"
        rows.append(row if rng.random() < 0.8 else row | {"name": text(rng), "reasoning_content": text(rng)})
    return rows


def responses(rng: random.Random) -> Any:
    if rng.random() < 0.1:
        return text(rng)
    kinds = [
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
        "compaction",
        "item_reference",
        "odd",
    ]
    rows: list[Any] = []
    for _ in range(rng.randrange(8)):
        kind = rng.choice([*kinds, "message", "message", "message"])
        row: dict[str, Any] = {"type": kind, "call_id": f"c{rng.randrange(3)}", "output": text(rng)}
        if kind == "message":
            row = {"role": rng.choice(["user", "assistant", "developer"]), "content": content(rng, ["input_text", "input_image"])}  # fmt: skip
        rows.append(row)
    return rows


def messages(rng: random.Random) -> list[Any]:
    kinds = ["text", "image", "thinking", "tool_use", "tool_result", "document", "compaction"]
    roles = ["user", "assistant", "user", "assistant", "system"]
    return [{"role": rng.choice(roles), "content": content(rng, kinds)} for _ in range(rng.randrange(8))]


DIALECTS: list[tuple[str, str, Make]] = [
    ("/v1/chat/completions", "messages", chat),
    ("/v1/responses", "input", responses),
    ("/v1/messages", "messages", messages),
]


def dialogue(rng: random.Random) -> list[Any]:
    """Turns as most clients send them, in all dialects: here operators find something to do."""
    roles = ("user", "assistant") * rng.randrange(1, 4) + ("user",)
    return [{"role": role, "content": f"Take {rng.randrange(9)} {text(rng)}."} for role in roles]


def generated(rng: random.Random, name: str, make: Make) -> tuple[bytes, bool]:
    """A body in some spelling: any spaces, any order, any numbers; and whether it is damaged, as some are."""
    comma, colon = rng.choice([(",", ":"), (", ", ": "), (" ,\n\t", " :\r\n")])
    rows = make(rng) if rng.random() < 0.7 else dialogue(rng)
    history = json.dumps(rows, ensure_ascii=rng.random() < 0.5, separators=(comma, colon))
    rows = [
        f'"{name}"{colon}{history}',
        f'"model"{colon}"m"',
        f'"stream"{colon}{rng.choice(["true", "false"])}',
    ]
    rows += [f'"f{rng.randrange(4)}"{colon}{rng.choice(NUMBERS)}' for _ in range(rng.randrange(4))]
    rng.shuffle(rows)
    body = ("{" + comma.join(rows) + "}" + " " * rng.randrange(2)).encode("utf-8")
    damaged = rng.random() < 0.05
    if damaged:
        at = rng.randrange(len(body))
        body = body[:at] + rng.choice([b"", b"\xff", b"}", b'"']) + body[at + 1 :]
    return body, damaged


def answered(received: Received) -> Reply:
    """An answer that depends on the request, in pieces cut anywhere."""
    rng = random.Random(received.body)
    whole = rng.choice(["data: {京}\r\n\r\n: c\n\n", '{"choices" : []}', "", "data: [DONE]\n\n"]).encode() * 3
    at = rng.randrange(len(whole) + 1)
    return Reply(
        [whole[:at], whole[at:]], headers=[("content-type", rng.choice(["text/event-stream", "a/b"]))]
    )


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("path", "name", "make"), DIALECTS, ids=[path for path, _, _ in DIALECTS])
def test_bytes_are_the_same(path: str, name: str, make: Make, request: pytest.FixtureRequest) -> None:
    rng = random.Random(path)
    seen = Counter[str]()
    operators = {name: each for name, each in registry.operators().items() if not model_backed(each)}
    with (
        ScriptedUpstream(answered) as upstream,
        RunningProxy(upstream.url, Engine(registry.controller("never"), operators)) as proxy,
        socket.create_connection(("127.0.0.1", proxy.port)) as connection,
        connection.makefile("rb") as stream,
    ):
        for number in range(request.config.getoption("--many")):
            body, damaged = generated(rng, name, make)
            head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n"
            if number % 2:
                head += f"x-acr-operator: {rng.choice(sorted(operators))}\r\n"
            connection.sendall(head.encode() + b"\r\n" + body)
            decision, answer = chunked(stream)
            (received,) = upstream.received
            upstream.received.clear()
            seen[decision] += 1
            assert decision in ("none", "intervened") or damaged, f"request {number}: {decision}"
            assert (received.body != body) is (decision == "intervened"), f"request {number}: {decision}"
            assert received.reply and answer == received.reply.body, f"answer {number}"
    print(path, dict(seen))
    assert seen["none"] > seen["intervened"] > 0


def chunked(stream: Any) -> tuple[str, bytes]:
    """Decision and body of the next answer on a connection; a scripted upstream's two writes come in chunks."""
    assert stream.readline().startswith(b"HTTP/1.1 200")
    decision = ""
    while (line := stream.readline()) != b"\r\n":
        if line.startswith(b"x-acr-decision:"):
            decision = line.partition(b":")[2].strip().decode()
    pieces = []
    while size := int(stream.readline(), 16):
        pieces.append(stream.read(size))
        stream.readline()
    stream.readline()
    return decision, b"".join(pieces)
