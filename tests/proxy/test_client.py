import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from acr.proxy.client import Client, HungUp, Message, TooLarge

GONE: Message = {"type": "http.disconnect"}


def piece(body: bytes, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


def client(*messages: Message) -> Client:
    """A client that sends these, and then stays on the line."""
    left = list(messages)

    async def receive() -> Message:
        if left:
            return left.pop(0)
        await asyncio.sleep(3600)
        raise AssertionError

    return Client(receive)


async def test_a_body_in_pieces() -> None:
    assert await client(piece(b"a", True), piece(b"", True), piece(b"b", False)).body(2) == b"ab"


async def test_a_body_that_is_too_large_is_not_read_on() -> None:
    with pytest.raises(TooLarge):
        await client(piece(b"aa", True), piece(b"b", True)).body(2)


async def test_a_body_that_does_not_all_come() -> None:
    gone = client(piece(b"a", True), GONE)
    with pytest.raises(HungUp):
        await gone.body(10)
    assert gone.hung_up


async def gather(pieces: AsyncIterator[bytes]) -> list[bytes]:
    return [piece async for piece in pieces]


async def test_an_upload_comes_piece_by_piece() -> None:
    sender = client(piece(b"a", True), piece(b"", True), piece(b"b", False))
    sender.prepare()
    assert await gather(sender.upload()) == [b"a", b"b"]
    sender.done()


@pytest.mark.parametrize("messages", [(GONE,), (piece(b"", False), GONE)], ids=["at once", "after a message"])
async def test_hanging_up_cancels_the_task_that_serves(messages: tuple[Message, ...]) -> None:
    gone = client(*messages)

    async def serve() -> None:
        gone.prepare()
        gone.watch()
        await asyncio.sleep(3600)

    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.create_task(serve()), 10)
    assert gone.hung_up


async def test_hanging_up_during_an_upload_cancels_too() -> None:
    gone = client(piece(b"a", True), GONE)

    async def serve() -> Any:
        gone.prepare()
        return await gather(gone.upload())

    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.create_task(serve()), 10)
    assert gone.hung_up


async def test_hanging_up_after_the_last_byte_is_nothing() -> None:
    gone = client(GONE)

    async def serve() -> str:
        gone.prepare()
        gone.watch()
        gone.done()
        await asyncio.sleep(0.05)
        return "done"

    assert await asyncio.create_task(serve()) == "done" and not gone.hung_up
