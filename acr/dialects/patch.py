"""Writes a refactored conversation into the text of a request. Kept messages keep their bytes."""

from collections.abc import Callable, Sequence

from acr.conversation import Conversation, Turn
from acr.dialects.splice import Span, dumps, elements, members, replace
from acr.errors import EditError


def array(
    text: str,
    spans: Sequence[Span],
    before: Conversation,
    after: Conversation,
    rewrite: Callable[[str, Turn], str],
) -> str:
    """Make the array whose elements stand at `spans` hold `after`. Separators are the client's, too.

    A turn's id is the position of its first element; it reaches to where the next turn of `before` begins.
    Raises `EditError` if a turn cannot be written.
    """
    if not spans:
        raise EditError("there is nothing to patch")
    starts = [int(turn.id) for turn in before]
    ends = dict(zip(starts, [*starts[1:], len(spans)], strict=True))
    usual = text[spans[0].end : spans[1].start] if len(spans) > 1 else ","
    pieces: list[str] = []
    for turn in after:
        if turn.state == "inserted":
            pieces += (usual, dumps({"role": turn.role, "content": turn.text}))
            continue
        first = int(turn.id)
        start, end = spans[first].start, spans[ends[first] - 1].end
        own = text[start:end]
        pieces.append(text[spans[first - 1].end : start] if first else usual)
        pieces.append(own if turn.state == "kept" else rewrite(own, turn))
    return replace(text, [(spans[0].start, spans[-1].end, "".join(pieces[1:]))])


def content(text: str, turn: Turn, part_type: str) -> str:
    """Give `text`, one message of the client, the text of `turn`; all other fields keep their bytes.

    Raises `EditError` if the message has no content, or two.
    """
    try:
        (member,) = (member for member in members(text) if member.key == "content")
    except ValueError:
        raise EditError(f"turn {turn.id!r} has no content to rewrite, or two") from None
    start, end = member.value_start, member.end
    if turn.lead and isinstance(member.value, str):
        return replace(text, [(start, end, led(text[start:end], turn.lead))])
    if turn.lead and isinstance(member.value, list):
        new = dumps({"type": part_type, "text": turn.lead})
        first = elements(text, start)
        at = first[0].start if first else end - 1
        return replace(text, [(at, at, new + "," if first else new)])
    return replace(text, [(start, end, dumps(turn.text))])


def led(literal: str, lead: str) -> str:
    """A JSON string with `lead` in front; what the client wrote keeps its own spelling, escapes and all."""
    return dumps(lead)[:-1] + literal[1:]
