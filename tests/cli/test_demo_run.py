"""The proxy of the demo really serves, and is really gone afterwards."""

import socket
from urllib.parse import urlsplit

import pytest
from support.upstream import ScriptedUpstream

from acr.cli.demo_run import Side, proxy
from acr.cli.upstream import models
from acr.errors import UpstreamError
from acr.settings import Settings


def test_it_serves_as_long_as_the_block_runs(upstream: ScriptedUpstream) -> None:
    with proxy(Settings.load(upstream=upstream.url)) as address:
        with pytest.raises(UpstreamError, match="no list of models"):  # the scripted upstream has none
            models(address, "k")
        assert upstream.received[-1].target == "/v1/models"
    with (
        pytest.raises(ConnectionRefusedError),
        socket.create_connection(("127.0.0.1", urlsplit(address).port or 0)),
    ):
        pass


async def test_a_conversation_keeps_what_was_answered(upstream: ScriptedUpstream) -> None:
    side = Side("direct", upstream.url, "k", "m", 7, 0.5)
    calls: list[int] = []
    await side.converse(("one", "two"), lambda: calls.append(1))
    assert [(turn.user, turn.text, turn.done) for turn in side.turns] == [
        ("one", "ok", True),
        ("two", "ok", True),
    ]
    assert [message["content"] for message in upstream.received[1].json["messages"]][1:] == [
        "one",
        "ok",
        "two",
    ]
    assert side.tokens > 0 and side.seconds > 0 and len(calls) > 4
    assert side.answer == "ok"
