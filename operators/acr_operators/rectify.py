"""Mark, where it stands in the history, what a later turn of the user overruled.

Fact rectification in the terms of the ACR paper. The user's own sentence gets `(→ the later sentence)` before
its full stop, and so does a statement of the assistant that repeats the overruled value. No word goes, none
but the user's comes in. The last of these is what keeps a model from going on with "12 people" after the
user has said 15: its own sentences are the strongest anchor.

Left alone is whatever is not certain: a value that the user still uses elsewhere, a sentence that has the new
value too, drafts, code and tables (a mark in them would be copied into the next version), and what the
newest turn refers to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acr.conversation import Conversation, Turn
from acr.decision import Context, Kind
from acr.edits import Edit, Rewrite
from acr.marks import marked, note
from acr.reading.dialogue import Task
from acr.text import clean, sentences
from acr.values import Overruled, overruled

_BRIEF = 400
"""Characters: a longer answer that works nothing out is taken for a draft."""


@dataclass(frozen=True, slots=True)
class Rectify:
    """Marks overruled values in the user's and the assistant's earlier turns."""

    name: str = "rectify"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        task = context.tasks[-1]
        values = overruled(context.ledger)
        told = [answer.turn for answer in task.answers if answer.result or brief(answer.turn)]
        kept = set(task.users[-1].refers_to) if task.users else set()
        edits: list[Edit] = []
        for turn in _ours(conversation, task):
            text = marked(turn, context.ledger)
            if text.strip() != clean(turn.text).strip():
                edits.append(Rewrite(turn.id, text))
        for turn in told if values else ():
            if turn.plain and turn.id not in kept and conversation.position[turn.id] >= conversation.sealed:
                text = corrected(turn.text, values)
                if text != turn.text:
                    edits.append(Rewrite(turn.id, clean(text)))
        return edits


def _ours(conversation: Conversation, task: Task) -> Iterator[Turn]:
    """The user's turns of the open task that may be marked: all but the newest."""
    for user in task.users[:-1]:
        if user.turn.plain and conversation.position[user.turn.id] >= conversation.sealed:
            yield user.turn


def brief(turn: Turn) -> bool:
    """A statement rather than a draft."""
    return len(turn.text) <= _BRIEF and "\n\n" not in turn.text.strip()


def corrected(text: str, values: Sequence[Overruled]) -> str:
    """The text with a note at each sentence that repeats an overruled value. Code and tables stay."""
    lines, fenced = text.split("\n"), False
    for number, line in enumerate(lines):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        if fence or fenced or "|" in line or line.lstrip()[:1] in ("{", "["):
            continue
        for sentence in sentences(line):
            by = next((value.by for value in values if value.repeated(sentence)), None)
            if by is not None:
                lines[number] = lines[number].replace(sentence, note(sentence, by), 1)
    return "\n".join(lines)
