"""Restate all earlier user turns, verbatim, in front of the newest one, at every turn.

SNOWBALL of the LiC paper (Laban et al. 2025, §7): a baseline. It resolves no corrections; it repeats what
was said since the open task began.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit
from acr.views import in_front, said_so_far


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
        return in_front(newest, "recap", said_so_far(said, context.language))
