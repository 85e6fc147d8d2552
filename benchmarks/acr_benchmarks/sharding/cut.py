"""The two steps that a model does: cut an instruction into segments, and say them as a person would."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from acr import text as t
from acr_benchmarks.endpoint import Endpoint, json_object
from acr_benchmarks.sharding.checks import FEWEST, faults, kept

SEGMENT = (
    "You get an instruction. Copy out the parts of it that each hold one piece of information that the task "
    "needs: a fact, a condition, a format, and the question or request itself. Copy word for word, without "
    "overlap, in the order of the text, as many small parts as make sense. Do not solve it. "
    'Answer with JSON only: {"segments": ["first part", "second part", "third part"]}'
)
REPHRASE = (
    "You get an instruction and its parts. Rewrite the parts as a person would type them into a chat, one "
    "after the other. The first says only what is wanted, in general: the question or request, without "
    "facts and figures. Each other one tells one part, in one short sentence that can be understood without "
    "the others: no 'it' or 'the former' without saying what. Keep every number, name and negation exactly, "
    "add nothing, leave nothing out. Give each piece three other wordings. "
    'Answer with JSON only: {"shards": [{"shard": "What is wanted?", "variants": ["…", "…", "…"]}, '
    '{"shard": "A fact.", "variants": ["…", "…", "…"]}]}'
)
TOKENS = 1500


@dataclass(frozen=True, slots=True)
class Piece:
    """A shard and its other wordings."""

    text: str
    variants: tuple[str, ...] = ()


async def segment(endpoint: Endpoint, instruction: str) -> list[str]:
    """The segments of an instruction; empty where the model found fewer than three in two attempts."""
    for seed in (0, 1):
        answer = await endpoint.ask(asked(SEGMENT, f"Instruction:\n{instruction}"), seed, max_tokens=TOKENS)
        found = segments(json_object(answer) or {}, instruction)
        if len(found) >= FEWEST:
            return found
    return []


def segments(made: dict[str, Any], instruction: str) -> list[str]:
    """The parts in a model's answer that stand in the instruction, as they stand in it, without overlap.

    Case and the last sign do not matter: models begin each part with a capital and end it with a full stop.
    """
    rows = made.get("segments")
    whole = plain(instruction)
    spans: list[tuple[int, int]] = []
    for row in rows if isinstance(rows, list) else []:
        text = plain(row if isinstance(row, str) else "").rstrip(".,;")
        for match in re.finditer(re.escape(text), whole, re.IGNORECASE) if text else ():
            start, end = match.span()
            if all(end <= begun or ended <= start for begun, ended in spans):
                spans.append((start, end))
                break
    return [whole[start:end] for start, end in sorted(spans)]


def plain(text: str) -> str:
    return " ".join(text.split())


async def rephrase(endpoint: Endpoint, instruction: str, parts: Sequence[str]) -> list[Piece]:
    """The shards; of two attempts the one with fewer faults. The second is told those of the first.

    Empty where neither answer holds any.
    """
    listed = "\n".join(f"{number}. {part}" for number, part in enumerate(parts, 1))
    question = f"Instruction:\n{instruction}\n\nParts:\n{listed}"
    best: list[Piece] = []
    wrong: list[str] = []
    for seed in (0, 1):
        hint = f"\n\nA first attempt had these faults, avoid them: {'; '.join(wrong)}." if wrong else ""
        answer = await endpoint.ask(asked(REPHRASE, question + hint), seed, max_tokens=TOKENS)
        found = fronted(pieces(json_object(answer) or {}))
        problems = list(faults(instruction, [piece.text for piece in found]))
        if found and (not best or len(problems) < len(wrong)):
            best, wrong = found, problems
        if best and not wrong:
            break
    return best


def pieces(made: dict[str, Any]) -> list[Piece]:
    """The shards in a model's answer. Wordings that change numbers or negations are left out."""
    rows = made.get("shards")
    found = []
    for row in rows if isinstance(rows, list) else []:
        text = row.get("shard") if isinstance(row, dict) else row
        if not isinstance(text, str) or not text.strip():
            continue
        others = row.get("variants") if isinstance(row, dict) else ()
        words = [str(one).strip() for one in others] if isinstance(others, list) else []
        found.append(Piece(text.strip(), tuple(dict.fromkeys(one for one in words if kept(text, one)))))
    return found


def fronted(found: list[Piece]) -> list[Piece]:
    """The only question among the pieces comes first: models leave it where it was, at the end."""
    questions = [piece for piece in found if t.asks(piece.text)]
    if len(questions) != 1:
        return found
    return [*questions, *(piece for piece in found if piece is not questions[0])]


def asked(system: str, user: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]
