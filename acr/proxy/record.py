"""Makes the trace of one request, after the client has its last byte."""

import json
from time import perf_counter
from typing import Any

from acr import ledger
from acr.conversation import Conversation
from acr.engine import describe
from acr.ledger.view import data
from acr.proxy.exchange import Exchange
from acr.proxy.moments import moments
from acr.trace import TEXT, Answer, Trace, Usage

READ = 64 * 1024
"""Bytes of a request body up to which a ledger is made that no operator asked for: it holds up the loop."""


def record(exchange: Exchange, *, text: bool) -> tuple[Trace, int]:
    """The trace and about how many bytes of text it holds. Of the signals it has those that the decision
    looked at: `Traces` adds the others when there is time.
    """
    prepared, dialect = exchange.prepared, exchange.dialect
    assert prepared is not None and dialect is not None
    request, outcome = prepared.request, prepared.outcome
    conversation = request.conversation
    moment, follows = moments(conversation) if conversation is not None else (None, None)
    trace = Trace(
        id=exchange.id.decode("ascii"),
        dialect=dialect.name,
        model=request.model,
        stream=request.stream,
        turns=len(conversation) if conversation else 0,
        mode=prepared.controls.mode,
        reason=prepared.reason,
        applied=prepared.verdict == "intervened",
        answered=prepared.verdict == "answered",
        decision=prepared.verdict,
        overhead_ms=prepared.seconds * 1000,
        first_byte_ms=(exchange.first_byte - exchange.started) * 1000 if exchange.first_byte else None,
        total_ms=(perf_counter() - exchange.started) * 1000,
        answer=_answer(exchange),
        views=list(prepared.views),
        moment=moment,
        follows=follows,
    )
    if (bill := prepared.bill) is not None:
        prompt, completion = bill
        trace.auxiliary = Usage(
            prompt_tokens=prompt, completion_tokens=completion, total_tokens=prompt + completion
        )
    if outcome is not None:
        trace.controller = outcome.decision.controller
        trace.operator = outcome.decision.operator
        trace.confidence = outcome.decision.confidence
        trace.signals = outcome.signals.known() if outcome.signals else {}
        trace.edits = describe(outcome.edits, text=text)
        trace.failure = type(outcome.failure).__name__ if outcome.failure else None
        if outcome.tokens:
            trace.tokens_before, trace.tokens_after = outcome.tokens
    if text and conversation is not None:
        trace.messages = view(conversation)
        known = outcome.ledger if outcome is not None else None
        if known is None and len(request.body) <= READ:
            known = ledger.read(conversation)
        trace.ledger = data(known) if known is not None else None
        if outcome is not None and outcome.changed:
            trace.view = view(outcome.conversation)
        return trace, len(request.body) * 2
    return trace, 0


def view(conversation: Conversation) -> list[dict[str, Any]]:
    """Messages as plain data: the client's own objects, and role and text of what ACR wrote."""
    return [
        dict(turn.wire) if turn.state == "kept" and turn.wire else {"role": turn.role, "content": turn.text}
        for turn in conversation
    ]


def _answer(exchange: Exchange) -> Answer:
    if exchange.monitor is None:
        return Answer(status=exchange.status or None, error=exchange.error)
    return exchange.monitor.answer(exchange.status, error=exchange.error)


def dumps(trace: Trace, *, brief: bool = False) -> bytes:
    """A trace as JSON, `brief` without its text. ASCII with escapes: text may hold lone surrogates."""
    return json.dumps(trace.model_dump(mode="json", exclude=TEXT if brief else None)).encode()
