"""Restate all earlier user turns, verbatim, in front of the newest one, at every turn.

SNOWBALL of the LiC paper (Laban et al. 2025, §7): a baseline. It resolves no corrections; it repeats what
was said since the open task began.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit, Rewrite
from acr.fence import fenced
from acr.phrases import phrase
from acr.text import clean


@dataclass(frozen=True, slots=True)
class Snowball:
    """One fenced block with every earlier user turn."""

    name: str = "snowball"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        *earlier, newest = (user.turn for user in context.tasks[-1].users)
        said = [turn.text.strip() for turn in earlier if turn.text.strip()]
        if not said:
            return []
        heading = phrase("recap", context.language)
        lines = [*([heading] if heading else []), *(f"- {text}" for text in said)]
        return [Rewrite(newest.id, fenced("recap", clean("\n".join(lines))) + "\n\n" + newest.text)]
