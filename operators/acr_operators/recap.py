"""Restate the user's whole current specification in front of the newest turn; the history stays.

RECAP of the LiC paper (Laban et al. 2025, §7), at any turn instead of an extra last one, with corrections
resolved: a sentence that a later one overrules carries a note of what replaces it. A fenced block that the
user pasted is not cut into sentences: it stays where it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit
from acr.marks import note
from acr.views import in_front, said_so_far

_BLOCK = re.compile(r"^```.*?(?:^```|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Recap:
    """One fenced block of the user's own sentences."""

    name: str = "recap"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        newest = conversation.turns[-1]
        specification = context.ledger.specification
        blocks = {turn.id: "\n".join(_BLOCK.findall(turn.text)) for turn in conversation.users}
        said = [
            note(item.text, item.replaced_by)
            for item in specification
            if item.turn != newest.id and item.text not in blocks.get(item.turn, "")
        ]
        users = context.tasks[-1].users
        if not said or context.signals["opening"] or (users and users[-1].alone):
            return []  # what was asked before has nothing to do with what is asked now
        return in_front(newest, "recap", said_so_far(said, context.language))
