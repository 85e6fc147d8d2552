import json

import pytest
from support.engines import engine

from acr.dialects.chat import Chat
from acr.proxy.client import Client, Message
from acr.proxy.exchange import Exchange
from acr.proxy.record import dumps, record
from acr.proxy.refactor import Refactorer

BODY = (
    b'{"model":"m","messages":[{"role":"user","content":"private \\ud83d"},'
    b'{"role":"assistant","content":"a"},{"role":"user","content":"two"}]}'
)


async def exchange(**asked: str) -> Exchange:
    async def nothing(*_: object) -> Message:
        raise AssertionError

    made = Exchange("POST", "/v1/chat/completions", [], Client(nothing), nothing, b"id-1", True)  # type: ignore[arg-type]
    made.dialect = Chat()
    made.prepared = await Refactorer(engine(deadline=60), "auto").prepare(Chat(), BODY, asked)
    made.status, made.error = 200, "client disconnected"
    return made


@pytest.mark.parametrize("operator", ["lead", "fold"])
async def test_what_is_recorded(operator: str) -> None:
    trace, weight = record(await exchange(operator=operator), text=False)
    assert (trace.id, trace.model, trace.turns, trace.operator, trace.applied) == (
        "id-1",
        "m",
        3,
        operator,
        True,
    )
    assert trace.tokens_before and trace.tokens_after and trace.overhead_ms > 0
    assert trace.answer and trace.answer.error == "client disconnected" and not trace.answer.complete
    assert weight == 0 and b"private" not in dumps(trace) and b"two" not in dumps(trace)


async def test_text_is_recorded_where_it_is_kept_and_can_always_be_written() -> None:
    trace, weight = record(await exchange(operator="lead"), text=True)
    written = json.loads(dumps(trace))
    assert written["messages"] == json.loads(BODY)["messages"]
    assert written["view"][-1] == {"role": "user", "content": "[note] two"}
    assert weight >= len(BODY)


async def test_a_failure_is_recorded_by_its_class() -> None:
    trace, _ = record(await exchange(operator="broken"), text=False)
    assert trace.failure == "OperatorError" and not trace.applied and b"secret" not in dumps(trace)
