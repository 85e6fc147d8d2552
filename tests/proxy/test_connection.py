"""One connection at a time against scripted bytes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support.raw import Script, serving, until

from acr.proxy.connection import FULL, MAX_HEAD, Connection

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab"


@asynccontextmanager
async def connected(script: Script) -> AsyncIterator[Connection]:
    async with serving(script) as port:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(Connection, "127.0.0.1", port)
        try:
            yield connection
        finally:
            connection.close()


def says(*answers: bytes, close: bool = False) -> Script:
    """Reads a request for each answer; stays open, or closes at the end."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        if close:
            writer.close()
        else:
            await reader.read()

    return script


async def body(connection: Connection) -> bytes:
    pieces = []
    while piece := await connection.read():
        pieces.append(piece)
    return b"".join(pieces)


async def asked(connection: Connection, method: str = "GET") -> Connection:
    connection.ask(method, b"/v1/x", [(b"host", b"h")], None)
    async with asyncio.timeout(10):
        await connection.answered()
    return connection


CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
GOOD = {
    "a length": (OK, False, b"ab", True),
    "chunks": (CHUNKED + b"1\r\na\r\n1\r\nb\r\n0\r\n\r\n", False, b"ab", True),
    "chunks with trailers": (CHUNKED + b"2\r\nab\r\n0\r\nx: y\r\n\r\n", False, b"ab", True),
    "the end of the connection": (b"HTTP/1.1 200 OK\r\n\r\nab", True, b"ab", False),
    "an old version": (b"HTTP/1.0 200 OK\r\n\r\nab", True, b"ab", False),
    "a close that is announced": (b"HTTP/1.1 200 OK\r\nconnection: close\r\n" + OK[17:], True, b"ab", False),
    "an answer before the answer": (b"HTTP/1.1 103 Early\r\nlink: x\r\n\r\n" + OK, False, b"ab", True),
    "nothing": (b"HTTP/1.1 204 No Content\r\n\r\n", False, b"", True),
    "not modified": (b"HTTP/1.1 304 Not\r\ncontent-length: 5\r\n\r\n", False, b"", True),
}


@pytest.mark.parametrize("case", GOOD.values(), ids=GOOD)
async def test_where_an_answer_ends(case: tuple[bytes, bool, bytes, bool]) -> None:
    answer, close, expected, reusable = case
    async with connected(says(answer, close=close)) as connection, asyncio.timeout(10):
        await asked(connection)
        assert await body(connection) == expected
        assert connection.reusable is reusable
        assert (b"link", b"x") not in connection.headers


BROKEN = {
    "a length": b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab",
    "chunks": CHUNKED + b"2\r\nab\r\n",
    "a chunk": CHUNKED + b"3\r\nab",
    "no chunk": CHUNKED + b"2\r\nab\r\nzz\r\n",
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
async def test_what_breaks_off_gives_what_had_come_and_then_an_error(answer: bytes) -> None:
    async with connected(says(answer, close=True)) as connection, asyncio.timeout(10):
        await asked(connection)
        assert await connection.read() == b"ab"
        with pytest.raises(ConnectionError):
            await connection.read()
        assert not connection.reusable


ENDLESS = b"x" * (3 * MAX_HEAD)
"""More than twice of what is allowed: the limit is looked at once for each block that comes."""
NO_HEAD = {
    "nothing": b"",
    "half": b"HTTP/1.1 200 OK\r\ncontent-le",
    "no HTTP": b"220 smtp.example ESMTP\r\n\r\n",
    "two lengths": b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
    "a length and chunks": b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
    "NUL": b"HTTP/1.1 200 OK\r\na: b\0c\r\ncontent-length: 2\r\n\r\nab",
    "CR": b"HTTP/1.1 200 OK\r\na: b\rc: d\r\ncontent-length: 2\r\n\r\nab",
    "many headers": b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * (MAX_HEAD // 2) + b"\r\n",
}


@pytest.mark.parametrize("answer", NO_HEAD.values(), ids=NO_HEAD)
async def test_an_answer_without_a_head_is_an_error(answer: bytes) -> None:
    async with connected(says(answer, close=True)) as connection:
        with pytest.raises(ConnectionError):
            await asked(connection)


ENDLESS_PARTS = {
    "a reason": b"HTTP/1.1 200 ",
    "a name": b"HTTP/1.1 200 OK\r\n",
    "a value": b"HTTP/1.1 200 OK\r\na: ",
    "a trailer": CHUNKED + b"0\r\na: ",
    "a chunk's extension": CHUNKED + b"1;",
}


@pytest.mark.parametrize("begin", ENDLESS_PARTS.values(), ids=ENDLESS_PARTS)
async def test_nothing_that_the_parser_collects_is_endless(begin: bytes) -> None:
    async with connected(says(begin + ENDLESS)) as connection, asyncio.timeout(10):
        with pytest.raises(ConnectionError):
            await asked(connection)
            await connection.read()
        assert connection.lost and not connection.reusable


async def test_a_head_and_chunks_may_be_long_together() -> None:
    answer = CHUNKED[:-2] + b"a: %b \t\r\n\r\n" % ENDLESS[: MAX_HEAD - 100]
    async with connected(says(answer + b"1;abc\r\nx\r\n" * MAX_HEAD + b"0\r\n\r\n")) as connection:
        await asked(connection)
        assert connection.headers[1] == (b"a", ENDLESS[: MAX_HEAD - 100])
        assert await body(connection) == b"x" * MAX_HEAD and connection.reusable


@pytest.mark.parametrize(
    ("head", "ends"),
    [
        (b"HTTP/1.1 413 T\r\n", True),
        (b"HTTP/1.1 413 T\r\ncontent-length: 2\r\n", True),
        (b"HTTP/1.1 413 T\r\ncontent-length: 2\r\n", False),
    ],
)
async def test_an_answer_before_the_request_was_read_is_the_last(head: bytes, ends: bool) -> None:
    """What is left of the request must not hold up the answer's end, nor be taken for the next request."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head + b"\r\nab")
        if ends:
            writer.write_eof()
        await asyncio.sleep(20)

    async with connected(script) as connection, asyncio.timeout(10):
        connection.ask("POST", b"/v1/x", [], bytes(20_000_000))
        await connection.answered()
        assert connection.status == 413 and await body(connection) == b"ab"
        assert not connection.reusable


async def test_a_transport_that_closes_takes_no_request() -> None:
    async with connected(says(OK)) as connection:
        assert await body(await asked(connection)) == b"ab" and connection.reusable
        connection.transport.abort()
        assert not connection.lost and not connection.reusable


async def test_a_connection_carries_one_exchange_after_another() -> None:
    async with connected(says(OK, CHUNKED + b"1\r\nc\r\n0\r\n\r\n", OK)) as connection:
        for expected in (b"ab", b"c", b"ab"):
            assert await body(await asked(connection)) == expected
            assert connection.reusable
        connection.close()
        assert not connection.reusable


async def test_an_answer_to_head_has_no_body_and_is_the_last() -> None:
    async with connected(says(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n")) as connection:
        await asked(connection, "HEAD")
        assert await body(connection) == b"" and connection.headers == [(b"content-length", b"9")]
        assert not connection.reusable


@pytest.mark.parametrize("more", [OK, b"x"], ids=["another answer", "rubbish"])
async def test_what_nobody_asked_for_is_never_the_next_answer(more: bytes) -> None:
    async with connected(says(OK + more)) as connection:
        assert await body(await asked(connection)) == b"ab"
        assert not connection.reusable


async def test_what_comes_while_idle_closes_the_connection() -> None:
    late = asyncio.Event()

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await late.wait()
        writer.write(OK)
        await reader.read()

    async with connected(script) as connection:
        assert await body(await asked(connection)) == b"ab" and connection.reusable
        late.set()
        await until(lambda: connection.lost)


async def test_requests_as_they_are_written() -> None:
    got: list[bytes] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for end in (b"\r\n\r\nabc", b"\r\n\r\n", b"0\r\n\r\n"):
            got.append(await reader.readuntil(end))
            writer.write(OK)

    async def pieces() -> AsyncIterator[bytes]:
        yield b"ab"
        yield b"c"

    async with connected(script) as connection:
        for method, sent in (("POST", b"abc"), ("POST", None), ("PUT", pieces())):
            connection.ask(method, b"/v1/x?y", [(b"host", b"h"), (b"a", b"\xe4")], sent)
            await connection.answered()
            assert await body(connection) == b"ab"
    head = b"%b /v1/x?y HTTP/1.1\r\nhost: h\r\na: \xe4\r\n"
    assert got == [
        head % b"POST" + b"content-length: 3\r\n\r\nabc",
        head % b"POST" + b"content-length: 0\r\n\r\n",
        head % b"PUT" + b"transfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
    ]


async def test_an_upload_that_fails_is_no_whole_request() -> None:
    got: list[bytes] = []

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(100):
            got.append(piece)

    async def pieces() -> AsyncIterator[bytes]:
        yield b"ab"
        raise RuntimeError

    async with connected(script) as connection:
        connection.ask("POST", b"/v1/x", [], pieces())
        with pytest.raises(ConnectionError):
            await connection.answered()
    assert not b"".join(got).endswith(b"0\r\n\r\n")


@pytest.mark.parametrize("value", [b"a\r\nb: c", b"a\nb", b"a\rb"])
async def test_a_header_is_one_line(value: bytes) -> None:
    async with connected(says(OK)) as connection:
        with pytest.raises(ValueError, match="line break"):
            connection.ask("GET", b"/v1/x", [(b"a", value)], None)


async def test_an_upstream_that_is_faster_than_the_client_is_paused() -> None:
    size = 40 * FULL
    sent = 0

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size)
        while sent < size:
            writer.write(b"x" * FULL)
            sent += FULL
            await writer.drain()

    async with connected(script) as connection, asyncio.timeout(30):
        await asked(connection)
        await asyncio.sleep(0.3)
        assert sent < size
        assert len(await body(connection)) == size
