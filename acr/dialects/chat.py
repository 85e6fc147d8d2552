"""OpenAI Chat Completions, with what other vendors have added to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from acr.conversation import Conversation, Role, Turn
from acr.dialects import Reader, Request, errors, parts, patch
from acr.dialects.chat_reader import ChatReader
from acr.dialects.top import Top, one_list
from acr.errors import ConversationError

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
SHORT = 4096
"""Characters of a text up to which a turn is remembered, which bounds the memory that takes."""


@dataclass(frozen=True, slots=True)
class Chat:
    name: str = "chat"
    paths: frozenset[str] = frozenset({"/v1/chat/completions"})

    def parse(self, body: bytes, *, history: bool = True) -> Request:
        try:
            top = Top.of(body, "messages")
        except ConversationError as error:
            return Request(body, why=str(error))
        why = one_list(top)
        if not why and top.fields.get("n") not in (None, 1):
            why = "more than one answer asked for"
        return top.request(read if history else None, why)

    def patch(self, request: Request, after: Conversation) -> bytes:
        return patch.history(request, after, "messages", rewrite)

    def reader(self, *, text: bool) -> Reader:
        return ChatReader(text=text)

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        return errors.openai(status, message, code)


def rewrite(text: str, turn: Turn) -> str:
    return patch.content(text, turn, "text")


def read(messages: Sequence[Any]) -> Conversation:
    """The conversation that `messages` are. Raises `ConversationError` if one has no role that ACR knows."""
    return Conversation(tuple([turn(str(index), message) for index, message in enumerate(messages)]))


def turn(id: str, message: Any) -> Turn:
    role = parts.role(message, ROLES)
    content = message.get("content")
    if type(content) is str and len(message) == 2 and role != "tool":  # most turns
        return said(id, role, content) if len(content) <= SHORT else Turn(id, role, content, message)
    found = parts.read(content)
    marked = any(message.get(mark) for mark in SEALS) or signed(message.get("reasoning_details"))
    return Turn(
        id=id,
        role=role,
        text="\n".join(found.texts),
        wire=message,
        calls=calls_of(id, message),
        answers=answers_of(id, message),
        plain=found.plain and parts.only(message, ("role", "content")),
        attached=found.attached,
        result=role == "tool" and isinstance(content, str),
        sealed=found.sealed or marked,
    )


@lru_cache(2048)
def said(id: str, role: Role, content: str) -> Turn:
    """A turn of text alone. The turns of a conversation come again with each of its requests: to find one
    takes a third of the time that it takes to make it, and its text has its hash by then.
    """
    return Turn(id, role, content, {"role": role, "content": content})


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


def answers_of(id: str, message: Mapping[str, Any]) -> tuple[str, ...]:
    role = message["role"]
    if role == "function":
        return (f"function {message.get('name')}",)
    if role == "tool":
        named = message.get("tool_call_id")
        return (named if isinstance(named, str) else f"nothing at {id}",)
    return ()
