"""Bodies and answers cut anywhere, in each dialect: the same bytes on both sides, and the same reading of them."""

import json
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.http import send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream, deltas
from support.vendors import MESSAGE_EVENTS, named_events, response_events

TEXT = "ok 今🦊"
STREAMS: dict[str, Reply] = {
    "/v1/chat/completions": Reply.of_events(*deltas(*TEXT)),
    "/v1/responses": named_events(*response_events(TEXT)),
    "/v1/messages": named_events(*json.loads(json.dumps(MESSAGE_EVENTS).replace('"ok"', json.dumps(TEXT)))),
}
cuts = st.lists(st.integers(0, 2000), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
turns = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "tool"]), "content": values}
)
bodies = st.binary(max_size=60) | st.fixed_dictionaries(
    {"model": st.text(max_size=4)},
    optional={name: st.lists(turns, max_size=4) | values for name in ("messages", "input", "system", "x")},
).map(lambda body: json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))


def pieces(data: bytes, at: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(edge, len(data)) for edge in at), len(data)]
    return [data[start:end] for start, end in pairwise(edges) if end > start]


@pytest.mark.parametrize("path", STREAMS)
@given(body=bodies, up=cuts, down=cuts)
@example(body=b'{"messages": [{"role": "user", "content": 1}]}', up=[], down=[])
def test_any_body_in_any_pieces(
    proxy: RunningProxy, upstream: ScriptedUpstream, path: str, body: bytes, up: list[int], down: list[int]
) -> None:
    whole = STREAMS[path].body
    upstream.answer(Reply([*pieces(whole, down), b""], headers=[("content-type", "text/event-stream")]))
    answer = send(proxy.port, "POST", path, pieces(body, up))
    assert (answer.status, answer.end, answer.body) == (200, "clean", whole)
    assert upstream.received[0].body == body


@pytest.mark.parametrize("path", STREAMS)
@given(down=cuts)
def test_the_reading_does_not_depend_on_the_pieces(
    proxy: RunningProxy, upstream: ScriptedUpstream, path: str, down: list[int]
) -> None:
    whole = STREAMS[path].body
    upstream.answer(Reply([*pieces(whole, down), b""], headers=[("content-type", "text/event-stream")]))
    answer = send(proxy.port, "POST", path, b"{}")
    read = traced(proxy, answer.header("x-acr-trace"))["answer"]
    assert read["choices"][0]["text"] == TEXT and read["complete"] and read["error"] is None


def traced(proxy: RunningProxy, id: str | None) -> dict[str, Any]:
    """The trace, which is there soon after the last byte."""
    for _ in range(500):
        found = send(proxy.port, "GET", f"/v1/acr/decisions/{id}")
        if found.status == 200:
            trace: dict[str, Any] = json.loads(found.body)
            return trace
        time.sleep(0.005)
    raise AssertionError("no trace")
