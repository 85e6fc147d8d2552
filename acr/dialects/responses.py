"""OpenAI Responses. The items of one step of the assistant are one turn, as they live and die together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acr.conversation import Conversation, Role, Turn
from acr.dialects import Reader, Request, errors, parts, patch
from acr.dialects.chat import ROLES
from acr.dialects.responses_reader import ResponsesReader
from acr.dialects.splice import members, replace
from acr.dialects.top import Top, one_list
from acr.errors import ConversationError, EditError

CALLS = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "computer_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
    }
)
"""Calls that the client answers, each by an item `…_output` with the same `call_id`."""
SERVER = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "mcp_call",
        "mcp_list_tools",
    }
)
"""What the provider's own tools did: calls that nobody has to answer."""
SEALED = frozenset({"reasoning", "compaction", "compaction_summary"})
"""Items that the provider has signed or encrypted, or that stand for history that was cut."""
HIDING = ("previous_response_id", "conversation", "background", "prompt")
"""Fields by which the history, or a part of it, is on the server."""


@dataclass(frozen=True, slots=True)
class Responses:
    name: str = "responses"
    paths: frozenset[str] = frozenset({"/v1/responses"})

    def parse(self, body: bytes, *, history: bool = True) -> Request:
        try:
            top = Top.of(body, "input")
        except ConversationError as error:
            return Request(body, why=str(error))
        hidden = [name for name in HIDING if top.fields.get(name)]
        if hidden:
            return top.request(read if history else None, f"{hidden[0]}: the history is on the server")
        single = isinstance(top.fields.get("input"), str)
        return top.request(read if history else None, "" if single else one_list(top))

    def patch(self, request: Request, after: Conversation) -> bytes:
        assert request.conversation is not None
        text = request.body.decode()
        (input,) = (found for found in members(text, spread="input") if found.key == "input")
        if input.elements is not None:
            return patch.array(text, input.elements, request.conversation, after, rewrite).encode()
        turn = after.turns[-1]
        if len(after) != 1 or not turn.lead:
            raise EditError("an input that is one text can only get a lead")
        led = patch.led(text[input.value_start : input.end], turn.lead)
        return replace(text, [(input.value_start, input.end, led)]).encode()

    def reader(self, *, text: bool) -> Reader:
        return ResponsesReader(text=text)

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        return errors.openai(status, message, code)


def rewrite(text: str, turn: Turn) -> str:
    if turn.result and not turn.lead:
        return patch.text_of_field(text, "output", turn)
    return patch.content(text, turn, "output_text" if turn.role == "assistant" else "input_text")


def read(input: Any) -> Conversation:
    """The conversation that `input` is. Raises `ConversationError` for an item that ACR does not know."""
    if isinstance(input, str):
        return Conversation((Turn("0", "user", input, {"role": "user", "content": input}),))
    return Conversation(tuple(turn(first, items) for first, items in steps(input)))


def steps(items: Sequence[Any]) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    """Group items, each group with the position of its first: an assistant's step is one, a message alone."""
    group: list[Mapping[str, Any]] = []
    side: Role | None = None
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            raise ConversationError("an item is not an object")
        own = side_of(item)
        if group and (own != side or own not in ("assistant", "tool")):
            yield index - len(group), group
            group = []
        side = own
        group.append(item)
    if group:
        yield len(items) - len(group), group


def side_of(item: Mapping[str, Any]) -> Role:
    kind = item.get("type", "message")
    role = item.get("role")
    if kind == "message" and isinstance(role, str) and role in ROLES:
        return ROLES[role]
    if isinstance(kind, str):
        if kind in CALLS or kind in SERVER or kind == "reasoning":
            return "assistant"
        if kind.removesuffix("_output") in CALLS and kind.endswith("_output"):
            return "tool"
        if kind in SEALED:
            return "user"  # stands alone, for all that was before it
    raise ConversationError("an item is of a kind that ACR does not know")


def turn(first: int, items: Sequence[Mapping[str, Any]]) -> Turn:
    messages = [parts.read(item.get("content")) for item in items if item.get("type", "message") == "message"]
    outputs = [parts.read(item.get("output")) for item in items if "output" in item]
    found = messages + outputs
    kinds = {item.get("type", "message") for item in items}
    single = len(items) == 1 and kinds == {"message"}
    return Turn(
        id=str(first),
        role=side_of(items[0]),
        text="\n".join(text for content in found for text in content.texts),
        wire=items[0] if len(items) == 1 else {"items": list(items)},
        calls=tuple(call_id(item, first) for item in items if item.get("type") in CALLS),
        answers=tuple(
            call_id(item, first) for item in items if side_of(item) == "tool" and "role" not in item
        ),
        plain=single and messages[0].plain and parts.only(dict(items[0]), MESSAGE),
        attached=any(content.attached for content in found),
        result=len(items) == 1 and "role" not in items[0] and isinstance(items[0].get("output"), str),
        sealed=bool(kinds & SEALED) or any(content.sealed for content in found),
    )


MESSAGE = ("type", "role", "content", "id", "status")
"""Fields of a message that say no more than its text."""


def call_id(item: Mapping[str, Any], first: int) -> str:
    named = item.get("call_id")
    return named if isinstance(named, str) else f"no id at {first} {item.get('type')}"
