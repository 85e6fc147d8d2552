"""What the content of a message holds, whatever the dialect: a text, or a list of typed parts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from acr.conversation import Role
from acr.errors import ConversationError

PLAIN = frozenset({"text", "input_text", "output_text"})
"""Types of parts that are text and nothing else."""
INNER = frozenset(
    {
        "thinking",
        "redacted_thinking",
        "tool_use",
        "tool_result",
        "server_tool_use",
        "compaction",
        "refusal",
    }
)
"""Types that are neither plain text nor something a user attached."""
SEALING = frozenset({"thinking", "redacted_thinking", "compaction"})


@dataclass(slots=True)
class Content:
    """What was found."""

    texts: list[str] = field(default_factory=list)
    attached: bool = False
    """An image, a sound, a file, or anything else that is not known."""
    plain: bool = True
    """Text is all there is."""
    sealed: bool = False
    """A part carries a signature, a cache mark, or stands for history that was cut."""


def read(content: Any) -> Content:
    """Look through a content. Any JSON value will do."""
    if content is None:
        return Content()
    if isinstance(content, str):
        return Content([content])
    if not isinstance(content, list):
        return Content(attached=True, plain=False)
    found = Content()
    for part in content:
        if isinstance(part, str):
            found.texts.append(part)
        elif isinstance(part, dict):
            _part(part, found)
        else:
            found.attached, found.plain = True, False
    return found


def _part(part: dict[str, Any], found: Content) -> None:
    kind, text = part.get("type"), part.get("text", part.get("refusal"))
    known = isinstance(kind, str)
    if isinstance(text, str):
        found.texts.append(text)
    elif known and kind == "tool_result":
        inner = read(part.get("content"))
        found.texts += inner.texts
        found.attached = found.attached or inner.attached
    elif not (known and kind in INNER):
        found.attached = True
    if not (known and kind in PLAIN and isinstance(text, str) and only(part, ("type", "text"))):
        found.plain = False
    if part.get("cache_control") or part.get("signature") or (known and kind in SEALING):
        found.sealed = True


def role(message: Any, roles: Mapping[str, Role]) -> Role:
    """The role of a message. Raises `ConversationError` if it has none of `roles`."""
    if not isinstance(message, dict):
        raise ConversationError("a message is not an object")
    name = message.get("role")
    known = roles.get(name) if isinstance(name, str) else None
    if known is None:
        raise ConversationError("a message has a role that ACR does not know")
    return known


def only(value: dict[str, Any], keys: Iterable[str]) -> bool:
    """Whether nothing but `keys` says anything: client libraries send back `annotations: []` and the like."""
    return all(key in keys or empty(value[key]) for key in value)


def empty(value: Any) -> bool:
    return value is None or value == []
