"""A teacher model that proposes an operator for a state and says why.

It does not see outcomes, and its word does not overrule them: the label stays what the outcomes say. Its
rationales go into the examples, and where it disagrees is reported: states at which a strong model's
judgement and the base model's behaviour part are worth a look.
"""

import inspect
import json
import re
from collections.abc import Mapping, Sequence

from acr.decision import Operator
from acr_training.draw import draw
from acr_training.judge import text
from acr_training.model import Model
from acr_training.records import NONE, Example, State

INSTRUCTION = (
    "You decide how the context of a conversation is refactored before a language model answers the newest "
    "message. Models get lost when a task arrives in pieces: they answer too early, hold on to wrong answers "
    "and do not come back. But a user may refer to what the assistant said, and then it must stay. Choose "
    "one of these, or none if the conversation is best left as it is:\n\n{operators}\n\n"
    'Reply with one JSON object: {{"operator": name or "none", "why": one sentence}}.'
)
OBJECT = re.compile(r"\{.*\}", re.DOTALL)
LONGEST = 1500
"""Characters of one message that the teacher sees."""


def question(state: State, operators: Mapping[str, Operator]) -> list[dict[str, str]]:
    """The teacher's messages."""
    listed = "\n".join(f"{name}: {first_line(one)}" for name, one in sorted(operators.items()))
    said = "\n\n".join(f"{message['role'].upper()}: {text(message)[:LONGEST]}" for message in state.messages)
    return [
        {"role": "system", "content": INSTRUCTION.format(operators=listed)},
        {"role": "user", "content": said},
    ]


def first_line(operator: Operator) -> str:
    return (inspect.getdoc(type(operator)) or "").partition("\n")[0]


def read(reply: str, known: Sequence[str]) -> tuple[str | None, str]:
    """The operator proposed (None if the reply names none that is known) and the rationale."""
    found = OBJECT.search(reply)
    try:
        content = json.loads(found[0]) if found else {}
    except ValueError:
        content = {}
    name = str(content.get("operator", "")).strip().lower() if isinstance(content, dict) else ""
    why = str(content.get("why", "")) if isinstance(content, dict) else ""
    return (name if name in (NONE, *known) else None), " ".join(why.split())


async def ask(
    example: Example, state: State, operators: Mapping[str, Operator], model: Model, seed: int
) -> Example:
    """The example with what the teacher says about its state. Raises `UpstreamError` or `BenchmarkError`."""
    reply = await model.complete(question(state, operators), draw(seed, f"teacher/{state.id}", 0, 0))
    name, why = read(reply.text, list(operators))
    return example.model_copy(update={"teacher": name, "rationale": why})
