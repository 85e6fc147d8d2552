"""`acr tokens FILE`: the estimated prompt tokens of a request body."""

import json as jsonlib
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from acr.cli import output

SCHEMAS = ("tools", "functions", "response_format", "text")
"""Fields beside the messages that the model reads as JSON."""
PROSE = ("system", "instructions", "prompt")
"""Fields beside the messages that the model reads as text."""
OPAQUE = frozenset(
    {"image_url", "input_image", "image", "input_audio", "audio", "file", "input_file", "document"}
)
"""Types of content parts that are not text."""


def tokens(
    file: Annotated[str, typer.Argument(help="A request body in JSON; - is standard input.")],
    json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Estimate the prompt tokens of a request body.

    Tools and images are included. No network is used.
    """
    from acr.errors import ConversationError

    try:
        body = jsonlib.loads(output.read(file))
    except (ValueError, RecursionError):
        raise ConversationError(f"{file} is not JSON") from None
    if not isinstance(body, dict):
        raise ConversationError(f"{file} is not a request body: it must be a JSON object")
    parts = estimate(body)
    if json:
        output.data({"tokens": sum(parts.values()), **parts})
    else:
        print(sum(parts.values()))


def estimate(body: Mapping[str, Any]) -> dict[str, int]:
    """Estimated tokens of the messages, of tools and schemas, and of other text; of any dialect.

    Never raises: what is not understood is counted as the text in it.
    """
    from acr import tokens
    from acr.dialects import chat
    from acr.errors import ConversationError

    messages = body.get("messages", body.get("input"))
    try:
        if "messages" not in body or not isinstance(messages, list):
            raise ConversationError("not the chat dialect")
        spoken = tokens.count_conversation(chat.read(messages))
    except ConversationError:
        spoken = weigh(messages)
    schemas = sum(tokens.count(jsonlib.dumps(body[key])) for key in SCHEMAS if body.get(key))
    return {"messages": spoken, "tools": schemas, "other": sum(weigh(body.get(key)) for key in PROSE)}


def weigh(value: Any) -> int:
    """Tokens of all text in a value; parts that are not text count a flat sum, whatever their bytes."""
    from acr import tokens

    if isinstance(value, str):
        return tokens.count(value)
    if isinstance(value, list):
        return sum(map(weigh, value))
    if not isinstance(value, dict):
        return 0
    if value.get("type") in OPAQUE:
        return tokens.PER_ATTACHMENT
    own = tokens.PER_MESSAGE if "role" in value else 0
    skipped = ("type", "role", "id", "cache_control", "signature", "encrypted_content")
    return own + sum(weigh(inner) for key, inner in value.items() if key not in skipped)
