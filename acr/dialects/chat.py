"""OpenAI Chat Completions, with what other vendors have added to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acr.conversation import Conversation, Role, Turn
from acr.dialects import Reader, Request
from acr.dialects.chat_reader import ChatReader
from acr.dialects.splice import Member, Span, dumps, elements, members, replace, text_of, without
from acr.errors import ConversationError, EditError

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
SEALS = ("cache_control", "thinking_blocks")
"""Marks by which providers tell that they hold the prefix as it is: caches and signed thinking."""


@dataclass(frozen=True, slots=True)
class Chat:
    name: str = "chat"
    paths: frozenset[str] = frozenset({"/v1/chat/completions"})

    def parse(self, body: bytes) -> Request:
        try:
            text = text_of(body)
            found = members(text, spread="messages")
        except ConversationError as error:
            return Request(body, why=str(error))
        fields = {member.key: member.value for member in found}
        controls = fields.get("acr")
        if "acr" in fields:
            text = without(text, found, "acr")
            body = text.encode()
        model, stream = fields.get("model"), fields.get("stream")
        conversation, why = None, leave_alone(found, fields)
        if not why:
            try:
                conversation = read(fields["messages"])
            except ConversationError as error:
                why = str(error)
        return Request(
            body,
            conversation,
            why,
            model=model if isinstance(model, str) else "",
            stream=stream is True,
            controls=controls if isinstance(controls, dict) else None,
        )

    def patch(self, request: Request, after: Conversation) -> bytes:
        text = request.body.decode()
        (messages,) = (found for found in members(text, spread="messages") if found.key == "messages")
        return patch_array(text, messages.elements or [], after, rewrite, insert).encode()

    def reader(self, *, text: bool) -> Reader:
        return ChatReader(text=text)

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        return openai_error(status, message, code)


def openai_error(status: int, message: str, code: str) -> dict[str, Any]:
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def leave_alone(found: Sequence[Member], fields: Mapping[str, Any]) -> str:
    """Why a request is none of ACR's business, or nothing."""
    if sum(member.key == "messages" for member in found) != 1:
        return "not one list of messages"
    if not isinstance(fields["messages"], list):
        return "messages is not a list"
    n = fields.get("n")
    if n is not None and n != 1:
        return "more than one answer asked for"
    return ""


def read(messages: Sequence[Any]) -> Conversation:
    """The conversation that `messages` are. Raises `ConversationError` if one has no role that ACR knows."""
    return Conversation(tuple(turn(str(index), message) for index, message in enumerate(messages)))


def turn(id: str, message: Any) -> Turn:
    if not isinstance(message, dict):
        raise ConversationError("a message is not an object")
    name = message.get("role")
    role = ROLES.get(name) if isinstance(name, str) else None
    if role is None:
        raise ConversationError("a message has a role that ACR does not know")
    content = message.get("content")
    if role == "user" and type(content) is str and len(message) == 2:  # most turns, told quickly
        return Turn(id, role, content, message)
    texts, attached, pure, sealed = contents(content)
    return Turn(
        id=id,
        role=role,
        text="\n".join(texts),
        wire=message,
        calls=calls_of(id, message),
        answers=answers_of(id, name, message),
        plain=pure and all(key in ("role", "content") or empty(message[key]) for key in message),
        attached=attached,
        sealed=sealed or any(message.get(mark) for mark in SEALS) or signed(message.get("reasoning_details")),
    )


def empty(value: Any) -> bool:
    """Whether a field says nothing: client libraries send back `refusal: null` and `annotations: []`."""
    return value is None or value == []


def contents(content: Any) -> tuple[list[str], bool, bool, bool]:
    """Texts; whether anything else is attached; whether text is all; whether a part is sealed."""
    if content is None:
        return [], False, True, False
    if isinstance(content, str):
        return [content], False, True, False
    if not isinstance(content, list):
        return [], True, False, False
    texts: list[str] = []
    attached, pure, sealed = False, True, False
    for part in content:
        if isinstance(part, str):
            texts.append(part)
            continue
        if not isinstance(part, dict):
            attached, pure = True, False
            continue
        text = part.get("text", part.get("refusal"))
        if isinstance(text, str):
            texts.append(text)
        else:
            attached = True
        pure = pure and set(part) == {"type", "text"} and part["type"] == "text" and isinstance(text, str)
        sealed = sealed or bool(part.get("cache_control")) or bool(part.get("signature"))
    return texts, attached, pure, sealed


def signed(details: Any) -> bool:
    """Whether reasoning holds what its provider will verify."""
    return isinstance(details, list) and any(
        isinstance(item, dict) and (item.get("signature") or item.get("data")) for item in details
    )


def calls_of(id: str, message: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids of the calls; a call without a usable id gets one that nothing answers, so nothing is touched."""
    if message.get("role") != "assistant":
        return ()
    ids: list[str] = []
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else [calls] if calls else []:
        named = call.get("id") if isinstance(call, dict) else None
        ids.append(named if isinstance(named, str) else f"no id at {id}")
    old = message.get("function_call")
    if old:
        ids.append(f"function {old.get('name') if isinstance(old, dict) else None}")
    return tuple(ids)


def answers_of(id: str, role: Any, message: Mapping[str, Any]) -> tuple[str, ...]:
    if role == "function":
        return (f"function {message.get('name')}",)
    if role == "tool":
        named = message.get("tool_call_id")
        return (named if isinstance(named, str) else f"nothing at {id}",)
    return ()


def insert(turn: Turn) -> str:
    return dumps({"role": turn.role, "content": turn.text})


def rewrite(text: str, turn: Turn) -> str:
    """`text`, the client's message, with another content. Raises `EditError` if that cannot be told."""
    return rewrite_content(text, turn, {"type": "text", "text": ""})


def rewrite_content(text: str, turn: Turn, part: Mapping[str, str]) -> str:
    found = [member for member in members(text) if member.key == "content"]
    if len(found) != 1:
        raise EditError(f"turn {turn.id!r} has no content to rewrite, or two")
    (content,) = found
    start, end = content.value_start, content.end
    if turn.lead and isinstance(content.value, str):  # the client's own spelling stays, escapes and all
        return replace(text, [(start, start + 1, dumps(turn.lead)[:-1])])
    if turn.lead and isinstance(content.value, list):
        new = dumps({**part, "text": turn.lead})
        first = elements(text, start)
        at = first[0].start if first else end - 1
        return replace(text, [(at, at, new + "," if first else new)])
    return replace(text, [(start, end, dumps(turn.text))])


def patch_array(
    text: str,
    spans: Sequence[Span],
    after: Conversation,
    rewrite: Any,
    insert: Any,
) -> str:
    """`text` with the array at `spans` made to hold `after`. Kept elements keep their bytes.

    Turn ids are positions in `spans`. Separators are the client's too.
    """
    if not spans:
        raise EditError("there is nothing to patch")
    usual = text[spans[0].end : spans[1].start] if len(spans) > 1 else ","
    pieces: list[str] = []
    for turn in after:
        if turn.state == "inserted":
            pieces += (usual, insert(turn))
            continue
        index = int(turn.id)
        span = spans[index]
        before = text[spans[index - 1].end : span.start] if index else usual
        own = text[span.start : span.end]
        pieces += (before, own if turn.state == "kept" else rewrite(own, turn))
    return replace(text, [(spans[0].start, spans[-1].end, "".join(pieces[1:]))])
