"""Writes a refactored conversation into the text of a request. Kept messages keep their bytes."""

from collections.abc import Callable, Sequence

from acr.conversation import Conversation, Turn
from acr.dialects import Request
from acr.dialects.splice import Member, Span, dumps, elements, members, replace
from acr.errors import EditError


def history(request: Request, after: Conversation, name: str, rewrite: Callable[[str, Turn], str]) -> bytes:
    """The body of `request` with `after` for its list of that name. Raises `EditError` as `array` does."""
    assert request.conversation is not None
    text = request.body.decode()
    (found,) = (member for member in members(text, spread=name) if member.key == name)
    return array(text, found.elements or [], request.conversation, after, rewrite).encode()


def array(
    text: str,
    spans: Sequence[Span],
    before: Conversation,
    after: Conversation,
    rewrite: Callable[[str, Turn], str],
) -> str:
    """Make the array whose elements stand at `spans` hold `after`. Separators are the client's, too.

    Raises `EditError` if a turn cannot be written.
    """
    if not spans:
        raise EditError("there is nothing to patch")
    ends = reach(before, len(spans))
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


def reach(conversation: Conversation, count: int) -> dict[int, int]:
    """Where each turn ends among `count` elements, by where it begins: its id is the position of its first
    element, and it reaches to where the next turn begins.
    """
    starts = [int(turn.id) for turn in conversation]
    return dict(zip(starts, [*starts[1:], count], strict=True))


def content(text: str, turn: Turn, part_type: str) -> str:
    """Give `text`, one message of the client, the text of `turn`; all other fields keep their bytes.

    Raises `EditError` if the message has no content, or two.
    """
    member = _only(text, "content", turn.id)
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


def text_of_field(text: str, name: str, turn: Turn) -> str:
    """Give the field of that name of the object `text` the text of `turn`.

    Raises `EditError` if the object has no such field, or two.
    """
    member = _only(text, name, turn.id)
    return replace(text, [(member.value_start, member.end, dumps(turn.text))])


def inside(text: str, name: str, change: Callable[[str], str]) -> str:
    """Change the one element of the list that the field of that name of the object `text` holds."""
    member = _only(text, name, name)
    (element,) = elements(text, member.value_start)
    own = text[element.start : element.end]
    return replace(text, [(element.start, element.end, change(own))])


def _only(text: str, name: str, turn: str) -> Member:
    try:
        (member,) = (member for member in members(text) if member.key == name)
    except ValueError:
        raise EditError(f"turn {turn!r} has no {name} to rewrite, or two") from None
    return member
