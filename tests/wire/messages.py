"""What became of the client's messages on their way: kept, extended, written by the proxy."""

from dataclasses import dataclass
from typing import Any

from wire.targets import Seen

INSTRUCTIONS = ("system", "developer")


@dataclass
class Journey:
    """The client's messages beside those that the upstream got."""

    before: list[Any]
    after: list[Any]

    @property
    def untouched(self) -> bool:
        return self.before == self.after

    @property
    def kept(self) -> list[int | None]:
        """For each message of the upstream, which of the client's it is; None if it is none of them.

        Matched in order; one that only occurs earlier than its predecessor counts as out of order: -1.
        """
        found: list[int | None] = []
        at = 0
        for message in self.after:
            later = next((i for i in range(at, len(self.before)) if self.before[i] == message), None)
            if later is not None:
                at = later + 1
            elif message in self.before:
                later = -1
            found.append(later)
        return found

    @property
    def extended(self) -> bool:
        """Whether the last is the client's last with something in front of its text."""
        return bool(self.after) and not self.untouched and self.problem_with_last is None

    @property
    def problem_with_last(self) -> str | None:
        """Why the last message is not the client's last, whole at its end; None if it is."""
        if not self.after or not self.before:
            return "there are no messages"
        last, own = self.after[-1], self.before[-1]
        if last == own:
            return None
        if not isinstance(last, dict) or own.get("role") != "user" or last.get("role") != "user":
            return f"last message is {short(last)}, the client's is {short(own)}"
        if {k: v for k, v in last.items() if k != "content"} != {
            k: v for k, v in own.items() if k != "content"
        }:
            return "the last message has other fields than the client's"
        theirs, ours = parts(last.get("content")), parts(own.get("content"))
        if theirs[len(theirs) - len(ours) :] == ours:
            return None
        if len(ours) == 1 and theirs and text_of(theirs[-1]).endswith(text_of(ours[0])) and text_of(ours[0]):
            return None
        return f"the client's last text is not whole at the end of {short(last)}"

    @property
    def added(self) -> list[str]:
        """The texts the proxy wrote: whole messages, and what stands in front of the client's last."""
        found: list[str] = []
        for index, (message, kept) in enumerate(zip(self.after, self.kept, strict=True)):
            if kept is not None:
                continue
            text = all_text(message.get("content") if isinstance(message, dict) else message)
            if index == len(self.after) - 1 and self.problem_with_last is None:
                text = text.removesuffix(all_text(self.before[-1].get("content")))
            if text.strip():
                found.append(text)
        return found


def journey(seen: Seen) -> Journey:
    body = seen.step.request.body if seen.step else None
    before = body.get("messages", body.get("input", [])) if isinstance(body, dict) else []
    return Journey(before, seen.value if isinstance(seen.value, list) else [])


def parts(content: Any) -> list[Any]:
    """Content as a list of parts; a plain string is one text part."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content) if isinstance(content, list) else []


def text_of(part: Any) -> str:
    return str(part.get("text") or "") if isinstance(part, dict) else str(part)


def all_text(content: Any) -> str:
    return "\n".join(text_of(part) for part in parts(content))


def role(message: Any) -> str:
    return str(message.get("role")) if isinstance(message, dict) else ""


def strings(value: Any) -> list[str]:
    """Every string in a value, keys left out."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, bytes):
        return [value.decode("utf-8", "replace")]
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in strings(item)]
    return []


def short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 200 else text[:150] + "…" + text[-40:]
