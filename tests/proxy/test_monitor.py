import gzip
import json
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.dialects.chat_reader import ChatReader
from acr.proxy import monitor as module
from acr.proxy.monitor import Monitor

EVENTS = (
    'data: {"choices":[{"index":0,"delta":{"content":"今天"},"finish_reason":null}]}\r\n\r\n'
    ': c\n\ndata: {"choices":[{"index":0,"delta":{"content":" ok"},"finish_reason":"stop"}]}\n\n'
    "data: [DONE]\n\n"
).encode()
DOCUMENT = json.dumps(
    {"choices": [{"index": 0, "message": {"content": "hi"}, "finish_reason": "stop"}]}
).encode()


def monitor(type: bytes = b"text/event-stream; charset=utf-8", coding: bytes = b"identity") -> Monitor:
    return Monitor(ChatReader(text=True), [(b"Content-Type", type), (b"Content-Encoding", coding)])


@given(st.lists(st.integers(0, len(EVENTS)), max_size=8), st.integers(1, 400))
def test_a_stream_cut_anywhere(cuts: list[int], piece: int) -> None:
    watch = monitor()
    edges = [0, *sorted(cuts), len(EVENTS)]
    old, module.PIECE = module.PIECE, piece
    try:
        for start, end in pairwise(edges):
            watch.add(EVENTS[start:end])
        answer = watch.answer(200, error=None)
    finally:
        module.PIECE = old
    assert answer.choices[0].text == "今天 ok" and answer.complete and answer.status == 200


@pytest.mark.parametrize("type", [b"application/json", b""])
def test_a_document(type: bytes) -> None:
    watch = monitor(type)
    watch.add(DOCUMENT[:9])
    watch.add(DOCUMENT[9:])
    assert watch.answer(200, error=None).choices[0].text == "hi"


def test_gzip_is_unpacked_for_reading_only() -> None:
    for type, data in [(b"text/event-stream", EVENTS), (b"application/json", DOCUMENT)]:
        watch = monitor(type, b"gzip")
        packed = gzip.compress(data)
        watch.add(packed[:20])
        watch.add(packed[20:])
        assert watch.answer(200, error=None).choices[0].text


@pytest.mark.parametrize(
    ("coding", "package", "pack"),
    [
        (b"br", "brotli", lambda brotli, data: brotli.compress(data)),
        (b"zstd", "zstandard", lambda zstandard, data: zstandard.ZstdCompressor().compress(data)),
    ],
)
def test_other_packings_are_undone_where_there_is_something_to_do_it(
    coding: bytes, package: str, pack: Callable[[Any, bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = pack(pytest.importorskip(package), EVENTS)
    watch = monitor(coding=coding)
    for start in range(0, len(packed), 7):
        watch.add(packed[start : start + 7])
    answer = watch.answer(200, error=None)
    assert answer.choices[0].text == "今天 ok" and answer.complete
    monkeypatch.setitem(sys.modules, package, None)
    watch = monitor(coding=coding)
    watch.add(packed)
    assert watch.answer(200, error=None).error == f"unread: content-encoding {coding.decode()}"


@pytest.mark.parametrize("coding", [b"gzip, br", b"\xff\n"])
def test_a_coding_that_cannot_be_undone_is_not_read_and_that_is_said(coding: bytes) -> None:
    watch = monitor(coding=coding)
    watch.add(b"\x1b\x00")
    answer = watch.answer(200, error=None)
    assert answer.choices == [] and answer.status == 200 and not answer.complete
    assert answer.error and answer.error.startswith("unread: content-encoding")
    assert watch.answer(200, error="the upstream broke off").error == "the upstream broke off"


def test_damaged_packing_costs_the_reading_only() -> None:
    watch = monitor(coding=b"gzip")
    watch.add(b"this is not gzip")
    answer = watch.answer(200, error=None)
    assert not answer.complete and answer.error == "unreadable: error"


def test_a_broken_transfer_is_never_complete() -> None:
    watch = monitor()
    watch.add(EVENTS)
    answer = watch.answer(200, error="the upstream broke off")
    assert not answer.complete and answer.error == "the upstream broke off"


def test_a_huge_document_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_DOCUMENT", 10)
    watch = monitor(b"application/json")
    watch.add(DOCUMENT)
    watch.add(DOCUMENT)
    assert watch._pieces == []
    assert watch.answer(200, error=None).error == "unread: over 10 bytes"
