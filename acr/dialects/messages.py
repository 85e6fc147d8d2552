"""Anthropic Messages. Tool results are blocks of a user's message; `system` stands outside, untouched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acr.conversation import Conversation, Role, Turn
from acr.dialects import Reader, Request, errors, parts, patch
from acr.dialects.messages_reader import MessagesReader
from acr.dialects.top import Top, one_list
from acr.errors import ConversationError

ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


@dataclass(frozen=True, slots=True)
class Messages:
    name: str = "messages"
    paths: frozenset[str] = frozenset({"/v1/messages", "/v1/messages/count_tokens"})
    """Counting gets the same treatment, so that what is counted is what would be sent."""

    def parse(self, body: bytes, *, history: bool = True) -> Request:
        try:
            top = Top.of(body, "messages")
        except ConversationError as error:
            return Request(body, why=str(error))
        return top.request(read if history else None, one_list(top))

    def patch(self, request: Request, after: Conversation) -> bytes:
        return patch.history(request, after, "messages", rewrite)

    def reader(self, *, text: bool) -> Reader:
        return MessagesReader(text=text)

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        return errors.anthropic(status, message, code)


def rewrite(text: str, turn: Turn) -> str:
    if turn.result and not turn.lead:
        return patch.inside(text, "content", lambda block: patch.text_of_field(block, "content", turn))
    return patch.content(text, turn, "text")


def read(messages: Sequence[Any]) -> Conversation:
    """The conversation that `messages` are. Raises `ConversationError` if one has no role that ACR knows."""
    return Conversation(tuple(turn(str(index), message) for index, message in enumerate(messages)))


def turn(id: str, message: Any) -> Turn:
    role = parts.role(message, ROLES)
    content = message.get("content")
    found = parts.read(content)
    blocks = [block for block in (content if isinstance(content, list) else ()) if isinstance(block, dict)]
    return Turn(
        id=id,
        role=role,
        text="\n".join(found.texts),
        wire=message,
        calls=ids(id, blocks, "tool_use", "id"),
        answers=ids(id, blocks, "tool_result", "tool_use_id"),
        plain=found.plain and parts.only(message, ("role", "content")),
        attached=found.attached,
        result=isinstance(content, list) and len(blocks) == len(content) == 1 and is_text_result(blocks[0]),
        sealed=found.sealed or bool(message.get("cache_control")),
    )


def is_text_result(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "tool_result" and isinstance(block.get("content"), str)


def ids(turn: str, blocks: Sequence[Mapping[str, Any]], kind: str, key: str) -> tuple[str, ...]:
    """Ids of the calls or results among the blocks; one without a usable id matches nothing."""
    named = [block.get(key) for block in blocks if block.get("type") == kind]
    return tuple(name if isinstance(name, str) else f"no {key} at {turn}" for name in named)
