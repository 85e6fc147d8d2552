import json
from typing import Any

import pytest

from acr.proxy.client import Client, Message
from acr.proxy.exchange import Exchange, Refused, acr_headers, answer, is_anthropic


def exchange(
    path: str = "/v1/chat/completions", method: str = "POST", **more: Any
) -> tuple[Exchange, list[Message]]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        raise AssertionError

    headers = more.pop("headers", [])
    return Exchange(method, path, headers, Client(receive), send, b"id-1", True), sent


async def test_an_answer_of_our_own() -> None:
    made, sent = exchange()
    await answer(made, Refused(503, "overloaded", "Too many.", (b"retry-after", b"1")))
    start, body = sent
    assert start["status"] == made.status == 503
    assert (
        dict(start["headers"])[b"retry-after"] == b"1" and dict(start["headers"])[b"x-request-id"] == b"id-1"
    )
    assert dict(start["headers"])[b"content-length"] == b"%d" % len(body["body"])
    error = json.loads(body["body"])["error"]
    assert error == {"message": "Too many.", "type": "server_error", "param": None, "code": "overloaded"}


async def test_none_is_sent_where_one_has_begun() -> None:
    made, sent = exchange()
    made.status = 200
    await answer(made, Refused(502, "x", "y"))
    assert sent == []


async def test_head_gets_no_body() -> None:
    made, sent = exchange(method="HEAD")
    await answer(made, Refused(404, "x", "y"))
    assert sent[1]["body"] == b""


@pytest.mark.parametrize(
    ("path", "headers", "anthropic"),
    [
        ("/v1/messages", [], True),
        ("/v1/messages/batches", [], True),
        ("/v1/models", [(b"anthropic-version", b"2023-06-01")], True),
        ("/v1/chat/completions", [], False),
    ],
)
async def test_errors_have_the_shape_of_the_dialect(path: str, headers: Any, anthropic: bool) -> None:
    made, sent = exchange(path, headers=headers)
    assert is_anthropic(made) is anthropic
    await answer(made, Refused(404, "x", "y"))
    assert ("type" in json.loads(sent[1]["body"])) is anthropic


def test_a_request_that_was_not_read_says_nothing_of_acr() -> None:
    made, _ = exchange()
    assert acr_headers(made) == []
