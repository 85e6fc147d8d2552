"""What the language-model controller reads: a digest of the conversation, at most 250 tokens.

Training and serving both call `render`, so the model is asked what it was taught. A change here is a new
`VERSION`: weights trained with another are refused.

    goal <the open task's first message>
    said 3 requirements 1 correction
    seen 2 stale answers; 2 premature answers; newest requirement
    answer <head of an earlier answer>
    answer <head of the newest answer>
    user <newest message: its beginning, and its end where it is long>
    decide

The label token follows. Nothing stands at a fixed place from turn to turn but the goal, so there is no prefix
worth keeping in a cache (docs/decisions.md).
"""

from collections.abc import Sequence
from typing import Protocol

from acr import ledger
from acr.conversation import Conversation
from acr.ledger import Ledger
from acr.reading.dialogue import Task, read
from acr.signals import Signals
from acr.text import clean

VERSION = 1
LIMIT = 250
"""Tokens of a rendering at most."""
END = "\ndecide"
GOAL, ANSWER, HEAD, TAIL = 40, 35, 50, 25
"""Tokens of the goal, of each earlier answer, and of the newest message's beginning and end."""
ANSWERS = 2
"""Earlier answers that are shown."""
REACH = 2_000
"""Characters looked at on either side of a text: far more than fit into the tokens above."""

WORDS = (
    ("opening", "newest opens a task"), ("requirement", "newest requirement"),
    ("correction", "newest correction"), ("restatement", "newest restatement"),
    ("reference", "newest reference"), ("reply", "newest reply"), ("question", "newest question"),
    ("chat", "newest chat"), ("informative", "new facts"), ("tools", "tools"),
    ("user_turns", "turns"), ("tasks", "tasks"), ("scattered", "pieces"), ("attempts", "attempts"),
    ("premature", "premature answers"), ("refusals", "refusals"), ("redone", "redone answers"),
    ("stale", "stale answers"), ("drafts", "drafts"), ("referred", "referred answers"), ("bloat", "growth"),
)  # fmt: skip
"""Signals that are shown where they are not 0, in this order, and their words."""
FLAGS = 10
"""The first so many of `WORDS` say yes or no; the others are counts, and `bloat` a ratio."""
MANY = 9
"""Counts are shown up to this one."""


class Tokenizer(Protocol):
    """What is needed of `tokenizers.Tokenizer`."""

    def encode(self, sequence: str, /) -> "Encoding": ...


class Encoding(Protocol):
    @property
    def ids(self) -> list[int]: ...

    @property
    def offsets(self) -> list[tuple[int, int]]: ...


def render(conversation: Conversation, signals: Signals, tokenizer: Tokenizer) -> str:
    """The digest: deterministic, at most `LIMIT` tokens, whatever is in the conversation."""
    tasks = read(conversation)
    share = 1.0
    while True:
        text = _compose(conversation, signals, tasks, tokenizer, share)
        if len(tokenizer.encode(text).ids) <= LIMIT:
            return text
        share *= 0.8


def _compose(
    conversation: Conversation, signals: Signals, tasks: Sequence[Task], tokenizer: Tokenizer, share: float
) -> str:
    """The digest with `share` of the tokens that each text may have."""

    def head(text: str, tokens: int) -> str:
        return first(plain(text), int(tokens * share), tokenizer)

    task, users = tasks[-1], conversation.users
    newest = users[-1].text if users else ""
    lines = [f"said {counts(ledger.of_tasks(tasks))}", f"seen {words(signals)}"]
    if task.users and task.users[0].turn.id != users[-1].id:
        lines.insert(0, f"goal {head(task.users[0].turn.text, GOAL)}")
    spoken = [turn for turn in conversation.assistants if turn.text.strip()]
    lines += [f"answer {head(turn.text, ANSWER)}" for turn in spoken[-ANSWERS:]]
    lines.append(f"user {ends(plain(newest), int(HEAD * share), int(TAIL * share), tokenizer)}")
    return "\n".join(lines) + END


def counts(found: Ledger) -> str:
    """How much was said of the open task, by kind, and how much of it was overruled."""
    items = [item for item in found.items if item.task == found.task]
    kinds = ("requirement", "prohibition", "preference", "correction", "question", "reply", "chat")
    parts = [f"{_count(sum(item.kind == kind for item in items))} {kind}" for kind in kinds]
    parts.append(f"{_count(sum(not item.holds for item in items))} overruled")
    return " ".join(part for part in parts if not part.startswith("0 ")) or "nothing"


def words(signals: Signals) -> str:
    """The signals that are not 0, in words."""
    shown = []
    for place, (name, phrase) in enumerate(WORDS):
        value = signals[name].value
        if not value:
            continue
        if place < FLAGS:
            shown.append(phrase)
        else:
            shown.append(f"{value:.1f} {phrase}" if name == "bloat" else f"{_count(int(value))} {phrase}")
    return "; ".join(shown) or "nothing"


def _count(value: int) -> str:
    return str(value) if value <= MANY else "many"


def plain(text: str) -> str:
    """On one line, valid Unicode, with nothing that reads as a control token of the model."""
    if len(text) > 2 * REACH:
        text = f"{text[:REACH]} {text[-REACH:]}"
    return " ".join(clean(text).split()).replace("<|", "< |")


def first(text: str, tokens: int, tokenizer: Tokenizer) -> str:
    """The longest beginning of whole characters that lies within the first `tokens` tokens."""
    offsets = tokenizer.encode(text).offsets
    if len(offsets) <= tokens:
        return text
    return text[: offsets[tokens][0]].rstrip()


def ends(text: str, head: int, tail: int, tokenizer: Tokenizer) -> str:
    """The beginning and the end of a text that is longer than both together."""
    offsets = tokenizer.encode(text).offsets
    if len(offsets) <= head + tail:
        return text
    start = offsets[-tail][0] if tail else len(text)
    return f"{text[: offsets[head][0]].rstrip()} … {text[start:].lstrip()}"
