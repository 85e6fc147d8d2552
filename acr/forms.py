"""How messages are written as Python objects: OpenAI's chat messages, LangChain's, Responses items.

A form reads a list of them as a `Conversation` and writes a refactored one back. Turns that nobody edited are
the objects that were passed in.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from acr.conversation import Conversation, Turn
from acr.dialects import chat, responses
from acr.dialects.patch import reach
from acr.errors import ConversationError

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write messages."""

    name: str
    read: Callable[[Sequence[Any]], Conversation]
    """The conversation; the id of a turn is the position of its first message. Raises `ConversationError`."""
    rewritten: Callable[[Any, Turn], Any]
    """A copy of a message that has the text of the turn."""
    new: Callable[[Turn], Any]
    """A message that says the turn."""

    def write(self, given: Sequence[Any], before: Conversation, after: Conversation) -> list[Any]:
        """The messages that say `after`, given those that `before` was read from."""
        ends = reach(before, len(given))
        messages: list[Any] = []
        for turn in after:
            if turn.state == "inserted":
                messages.append(self.new(turn))
                continue
            own = given[int(turn.id) : ends[int(turn.id)]]
            messages += own if turn.state == "kept" else [self.rewritten(message, turn) for message in own]
        return messages


def form_of(messages: Sequence[Any]) -> Form:
    """The form of `messages`, chat or LangChain. Raises `ConversationError` for what is neither."""
    if all(isinstance(message, Mapping) for message in messages):
        return CHAT
    if all(hasattr(message, "model_copy") and hasattr(message, "content") for message in messages):
        return LANGCHAIN
    raise ConversationError(
        "wanted are objects with role and content, or LangChain's messages, not a mixture"
    )


def _plain(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [message if isinstance(message, dict) else dict(message) for message in messages]


def _new(turn: Turn) -> dict[str, Any]:
    return {"role": turn.role, "content": turn.text}


def _chat_rewritten(message: Mapping[str, Any], turn: Turn) -> dict[str, Any]:
    return {**message, "content": _content(message["content"], turn, "text")}


def _item_rewritten(item: Mapping[str, Any], turn: Turn) -> dict[str, Any]:
    kind = "output_text" if turn.role == "assistant" else "input_text"
    return {**item, "content": _content(item["content"], turn, kind)}


def _content(content: Any, turn: Turn, kind: str) -> Any:
    """`content` with the text of `turn`; parts that are not text stay."""
    if turn.lead and isinstance(content, list):
        return [{"type": kind, "text": turn.lead}, *content]
    return turn.text


def _langchain_read(messages: "Sequence[BaseMessage]") -> Conversation:
    from langchain_core.messages import convert_to_openai_messages

    read = []
    for message in messages:
        same = convert_to_openai_messages([message])
        if len(same) != 1:
            raise ConversationError("a message that is several in OpenAI's form")
        read.append(same[0])
    return chat.read(read)


def _langchain_rewritten(message: "BaseMessage", turn: Turn) -> "BaseMessage":
    return message.model_copy(update={"content": _content(message.content, turn, "text")})


def _langchain_new(turn: Turn) -> "BaseMessage":
    from langchain_core.messages import convert_to_messages

    (message,) = convert_to_messages([_new(turn)])
    return message


CHAT = Form("chat", lambda messages: chat.read(_plain(messages)), _chat_rewritten, _new)
"""OpenAI's chat messages, as plain objects."""
LANGCHAIN = Form("langchain", _langchain_read, _langchain_rewritten, _langchain_new)
"""LangChain's message objects."""
RESPONSES = Form("responses", lambda items: responses.read(_plain(items)), _item_rewritten, _new)
"""Input items of OpenAI's Responses API."""
