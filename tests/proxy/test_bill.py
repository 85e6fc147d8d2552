"""What the auxiliary model took for a request is counted with that request, and told."""

import asyncio
import json
from dataclasses import dataclass, replace

import pytest
from support.engines import engine
from support.http import send
from support.upstream import Reply, completion

from acr.auxiliary import Auxiliary
from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.dialects.chat import Chat
from acr.edits import Edit, Rewrite
from acr.engine import Engine
from acr.proxy.refactor import LARGE as THREAD
from acr.proxy.refactor import Refactorer

SMALL = b'{"messages":[{"role":"user","content":"one"},{"role":"assistant","content":"a"},{"role":"user","content":"two"}]}'
LARGE = SMALL.replace(b'"one"', b'"one' + b" x" * THREAD + b'"')


@dataclass(frozen=True)
class Asks:
    """Asks the auxiliary model as often as told."""

    times: int
    name: str = "asks"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> list[Edit]:
        assert context.complete is not None
        said = [await context.complete([{"role": "user", "content": "?"}]) for _ in range(self.times)]
        newest = conversation.turns[-1]
        return [Rewrite(newest.id, f"{said} {newest.text}")]


def asking(url: str, times: int) -> Engine:
    operators = {"asks": Asks(times)}
    complete = Auxiliary(url, "helper", "none", 30.0)
    return replace(engine("asks", deadline=60), operators=operators, complete=complete)


@pytest.mark.parametrize("body", [SMALL, LARGE], ids=["inline", "in a thread"])
async def test_every_call_is_on_the_bill_of_its_own_request(upstream, body: bytes) -> None:
    engines = [asking(upstream.url, times) for times in (1, 2)]
    prepared = await asyncio.gather(*(Refactorer(made, "auto").prepare(Chat(), body, {}) for made in engines))
    for made in engines:
        assert isinstance(made.complete, Auxiliary)
        await made.complete.close()
    assert [p.auxiliary for p in prepared] == [((9, 1),), ((9, 1), (9, 1))], prepared[0].reason


def test_it_is_told_in_headers_and_trace(start, upstream) -> None:
    upstream.answer(*[Reply.of_json(completion("aux"))] * 2, Reply.of_json(completion("main")))
    proxy = start(asking(upstream.url, 2))
    answer = send(proxy.port, "POST", "/v1/chat/completions", SMALL, [("content-type", "application/json")])
    assert answer.header("x-acr-auxiliary-prompt-tokens") == "18"
    assert answer.header("x-acr-auxiliary-completion-tokens") == "2"
    trace = json.loads(send(proxy.port, "GET", "/v1/acr/decisions?limit=1").body)["data"][0]
    assert trace["auxiliary"]["total_tokens"] == 20


def test_where_none_was_asked_nothing_is_said(start) -> None:
    answer = send(start().port, "POST", "/v1/chat/completions", SMALL, [("content-type", "application/json")])
    assert answer.header("x-acr-decision") == "none"
    assert answer.header("x-acr-auxiliary-prompt-tokens") is None
