"""How much context there is. Estimated from bytes: a tokenizer would cost more than everything else here."""

from collections.abc import Iterator

from acr.signals.core import Signal
from acr.signals.seen import Seen

NAMES = ("tokens", "answers_share", "window_share")
BYTES = 4.5
"""UTF-8 bytes of a token, about: more in English prose, less in code and in figures."""
PER_MESSAGE = 4
WINDOW = 32_768
"""Tokens of the window that `window_share` is a share of: what small local models have."""


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """`tokens`: estimate for the whole context. `answers_share`: the assistant's share of it.
    `window_share`: `tokens` over `WINDOW`.
    """
    sizes = [(turn.role, _size(turn.text)) for turn in seen.conversation]
    total = sum([size for _, size in sizes])
    answers = sum([size for role, size in sizes if role == "assistant"])
    yield "tokens", Signal(round(total))
    yield "answers_share", Signal(round(answers / total, 3) if total else 0.0)
    yield "window_share", Signal(round(total / WINDOW, 3))


def _size(text: str) -> float:
    length = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return length / BYTES + PER_MESSAGE
