import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.dialects.sse import Event, EventDecoder, fields


def read(*chunks: bytes) -> list[Event]:
    decoder = EventDecoder()
    events = [event for chunk in chunks for event in decoder.feed(chunk)]
    return events + decoder.close()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_all_line_ends(end: bytes) -> None:
    assert read(end.join([b"data: a", b"", b"data:b", b"data: c", b"", b""])) == [("", "a"), ("", "b\nc")]


def test_comments_names_and_unknown_fields() -> None:
    stream = b": warming up\n\n:\nretry: 3\nevent: ping\nid: 7\ndata: x\n\ndata: y\n\n"
    assert read(stream) == [("ping", "x"), ("", "y")]


def test_a_name_without_data_is_no_event() -> None:
    assert read(b"event: ping\n\ndata: x\n\n") == [("", "x")]


def test_the_last_event_may_lack_its_blank_line() -> None:
    assert read(b"data: a\n\ndata: b") == [("", "a"), ("", "b")]


def test_a_byte_order_mark_is_skipped_and_only_at_the_start() -> None:
    assert read(b"\xef", b"\xbb\xbfdata: a\n\n") == [("", "a")]


def test_a_cr_at_the_end_of_a_chunk_waits_for_its_lf() -> None:
    assert read(b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n") == [("", "a\nb")]


def test_an_event_of_a_megabyte() -> None:
    assert read(b"data: " + b"x" * (1 << 20), b"\n\n") == [("", "x" * (1 << 20))]


STREAM = "retry: 1\r\n: c\r\n\r\nevent: e\rdata: 今天\r\rdata: {\ndata: }\n\ndata:[DONE]\n\n".encode()


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_where_it_is_cut_makes_no_difference(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    pieces = [STREAM[a:b] for a, b in pairwise(edges)]
    assert read(*pieces) == [("e", "今天"), ("", "{\n}"), ("", "[DONE]")]


WANTED = (re.compile(rb"want\s*:"), re.compile(rb"\[DONE\]"))
PIECES = (
    "data: want:\n",
    "data: want\n",
    "data: :\n",
    "data:[DONE]\n",
    "data: x\n",
    "event: want:\n",
    "\n",
    "\r\n",
)


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.lists(st.integers(0, 300), max_size=6))
def test_only_what_is_wanted_is_given_wherever_it_is_cut(pieces: list[str], cuts: list[int]) -> None:
    stream = "".join(pieces).encode()
    everything = [
        event
        for event in read(stream)
        if any(pattern.search(line.encode()) for pattern in WANTED for line in event.data.split("\n"))
    ]
    decoder = EventDecoder(WANTED)
    edges = [0, *sorted(cuts), len(stream)]
    given = [event for a, b in pairwise(edges) for event in decoder.feed(stream[a:b])]
    assert given + decoder.close() == everything


@given(st.lists(st.binary()))
def test_any_bytes_are_taken(chunks: list[bytes]) -> None:
    read(*chunks)


@pytest.mark.parametrize("data", ["", "[1]", "null", "{", "[" * 100_000, b"\xff", '"x"'])
def test_what_is_no_object_has_no_fields(data: str | bytes) -> None:
    assert fields(data) == {}


def test_the_fields_of_an_object() -> None:
    assert fields('{"a": 1}') == fields(b'{"a": 1}') == {"a": 1}
