import json
import time

import pytest
from support.engines import engine
from support.http import send
from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream

from acr.dialects.chat import Chat
from acr.ledger import read
from acr.ledger.view import data
from acr.proxy.client import Client, Message
from acr.proxy.exchange import Exchange
from acr.proxy.record import READ, dumps, record
from acr.proxy.refactor import Refactorer
from acr.testing import talk

SAID = (
    "Book a table for 4 people on Friday. Never a table near the door.",
    "Sure, done. Shall I add parking?",
    "Yes, please.",
    "Done.",
    "Actually, make it 5 people.",
)


def test_all_of_a_ledger_is_plain_data() -> None:
    told = json.loads(json.dumps(data(read(talk(*SAID)))))
    assert told["goal"] == "Book a table for 4 people on Friday."
    assert [(item["turn"], item["kind"]) for item in told["items"]][:2] == [
        ("0", "goal"),
        ("0", "prohibition"),
    ]
    assert told["items"][0]["gone"] == [
        {"text": "4", "how": "restated", "turn": "4", "by": "Actually, make it 5 people."}
    ]
    assert told["items"][0]["parts"] == ["Book a table for", "people on Friday."]
    agreed = [one for one in told["decisions"] if one["proposed_by"] == "assistant"]
    assert [(one["turn"], one["text"], one["settled_in"], one["settled_by"]) for one in agreed] == [
        ("1", "Sure, done. Shall I add parking?", "2", "Yes, please.")
    ]
    assert told["questions"][0]["answered_in"] == "2"
    assert told["process"]["repairs"] == 1


@pytest.mark.parametrize("kept", [True, False])
def test_a_running_proxy_shows_it_where_text_is_kept(kept: bool) -> None:
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(SAID)]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    with ScriptedUpstream() as upstream, RunningProxy(upstream.url, engine(), keep_text=kept) as proxy:
        id = send(proxy.port, "POST", "/v1/chat/completions", body).header("x-acr-trace")
        end = time.monotonic() + 30
        while (found := send(proxy.port, "GET", f"/v1/acr/decisions/{id}")).status == 404:
            assert time.monotonic() < end, "the trace did not come"
            time.sleep(0.05)
    trace = json.loads(found.body)
    assert trace["ledger"] == (data(read(talk(*SAID))) if kept else None)
    assert (b"table" in found.body) == kept


async def test_a_large_request_is_not_read_for_its_trace_alone() -> None:
    trace, _ = record(await exchanged("x" * READ), text=True)
    assert trace.messages is not None and trace.ledger is None


async def exchanged(last: str = SAID[-1]) -> Exchange:
    async def nothing(*_: object) -> Message:
        raise AssertionError

    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate((*SAID[:-1], last))]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    made = Exchange("POST", "/v1/chat/completions", [], Client(nothing), nothing, b"id-1", True)  # type: ignore[arg-type]
    made.dialect = Chat()
    made.prepared = await Refactorer(engine(deadline=60), "auto").prepare(Chat(), body, {})
    return made


@pytest.mark.parametrize("text", [True, False])
async def test_a_trace_has_it_only_where_text_is_kept(text: bool) -> None:
    trace, _ = record(await exchanged(), text=text)
    written = dumps(trace)
    if text:
        assert json.loads(written)["ledger"] == data(read(talk(*SAID)))
    else:
        assert trace.ledger is None
        for word in (b"table", b"door", b"parking", b"people", b"Friday"):
            assert word not in written
