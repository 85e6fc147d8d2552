"""A trace turn by turn: what was seen at each of the user's turns, and what became of each turn.

Worked out anew when somebody looks, from the text that the trace holds. Nothing of it is done on the way of a
request.
"""

import json
from typing import Any

from acr.conversation import Conversation
from acr.dialects import chat, messages
from acr.dialects.responses import Responses
from acr.errors import ConversationError
from acr.proxy.moments import moments
from acr.signals import observe
from acr.trace import Trace

MOST = 100
"""User turns that are observed, the newest: each costs a look at all before it."""


def turns(trace: Trace) -> list[dict[str, Any]]:
    """The turns of a trace that holds text, in order, as plain data.

    Each has `id`, `role`, `text` and `change` (kept, dropped, rewritten), with `after` where it was rewritten
    and `inserted` where turns were put before it. User turns have `moment` (as in traces) and `signals`: a
    value and the ids of the turns that are its evidence. Time: one observation for each user turn.
    Raises `ConversationError` if the messages cannot be read again.
    """
    conversation = read_again(trace)
    users = [number for number, turn in enumerate(conversation.turns) if turn.role == "user"]
    seen = {number: _seen(Conversation(conversation.turns[: number + 1])) for number in users[-MOST:]}
    edits = _by_turn(trace)
    return [
        {
            "id": turn.id,
            "role": turn.role,
            "text": turn.text,
            **edits.get(turn.id, {"change": "kept"}),
            **seen.get(number, {}),
        }
        for number, turn in enumerate(conversation)
    ]


def read_again(trace: Trace) -> Conversation:
    """The conversation of a trace. Raises `ConversationError` if there is none in it."""
    if trace.messages is None:
        raise ConversationError("the trace holds no text")
    if trace.dialect == "chat":
        return chat.read(trace.messages)
    if trace.dialect == "messages":
        return messages.read(trace.messages)
    items = [item for one in trace.messages for item in one.get("items", [one])]
    conversation = Responses().parse(json.dumps({"model": "", "input": items}).encode()).conversation
    if conversation is None:
        raise ConversationError("the messages of the trace cannot be read again")
    return conversation


def _seen(conversation: Conversation) -> dict[str, Any]:
    signals = observe(conversation)
    return {
        "moment": moments(conversation)[0],
        "signals": {
            name: {"value": signal.value, "evidence": list(signal.evidence)}
            for name, signal in signals.items()
        },
    }


def _by_turn(trace: Trace) -> dict[str, dict[str, Any]]:
    """What the edits did to each turn that they name; nothing where the model saw the client's own."""
    result: dict[str, dict[str, Any]] = {}
    for edit in trace.edits if trace.view is not None else ():
        row = result.setdefault(edit.get("turn") or edit["before"], {"change": "kept"})
        if edit["edit"] == "drop":
            row["change"] = "dropped"
        elif edit["edit"] == "rewrite":
            row |= {"change": "rewritten", "after": edit["text"]}
        else:
            row.setdefault("inserted", []).append({"role": edit["role"], "text": edit["text"]})
    return result
