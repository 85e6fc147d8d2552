"""A model as the judge of two answers, asked in both orders.

Judges prefer what stands first, or last (Zheng et al., arXiv 2306.05685, section 3.4): an answer counts as
better only if it wins in both places.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from acr_training.model import Model

INSTRUCTION = (
    "You compare two answers to the last message of a conversation. Take into account everything that the "
    "user said in the conversation. The better answer is right, does what the user asked for as it stands "
    "at the end, and leaves nothing out. Length and style do not count. Reply with one word: A if answer A "
    "is better, B if answer B is better, TIE if they are equally good."
)
VERDICT = re.compile(r"\b(A|B|TIE)\b")
LONGEST = 4000
"""Characters of one answer that the judge sees."""


def question(messages: Sequence[Mapping[str, Any]], first: str, second: str) -> list[dict[str, str]]:
    """The judge's messages."""
    said = "\n\n".join(f"{message['role'].upper()}: {text(message)}" for message in messages)
    body = (
        f"The conversation:\n\n{said}\n\n---\nAnswer A:\n{first[:LONGEST]}\n\n---\nAnswer B:\n"
        f"{second[:LONGEST]}\n\n---\nWhich answer is better? A, B or TIE"
    )
    return [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": body}]


def text(message: Mapping[str, Any]) -> str:
    """The text of a message, parts joined."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return str(content or "")


def verdict(reply: str) -> int:
    """1 for A, -1 for B, 0 for a tie and for what names neither or both."""
    found = set(VERDICT.findall(reply.upper()))
    if "TIE" in found or len(found) != 1:
        return 0
    return 1 if "A" in found else -1


async def compare(
    messages: Sequence[Mapping[str, Any]],
    answer: str,
    other: str,
    model: Model,
    *,
    seed: int,
) -> float:
    """1 if `answer` is better than `other`, 0 if worse, 0.5 if neither wins in both orders."""
    if answer.strip() == other.strip():
        return 0.5
    ahead = 0
    for sign, pair in ((1, (answer, other)), (-1, (other, answer))):
        reply = await model.complete(question(messages, *pair), seed)
        ahead += sign * verdict(reply.text)
    return {2: 1.0, -2: 0.0}.get(ahead, 0.5)
