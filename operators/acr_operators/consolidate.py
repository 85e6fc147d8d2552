"""One specification instead of the dialogue.

Answers that later requirements made stale go; what the user said stays, verbatim and in order, joined
where an answer stood between; what is referred to stays in place. State abstraction in the terms of the
ACR paper; the reset of ERGO (Khalid et al., arXiv 2510.14077), without its rewriting model.

From turn to turn the joined text only grows at its end, so prompt caches stay warm, unless a correction
overrules an earlier sentence: that one is then marked with what replaces it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr import views
from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit
from acr.marks import marked


@dataclass(frozen=True, slots=True)
class Consolidate:
    """Drops every answer of the open task that nothing later needs."""

    name: str = "consolidate"
    kind: Kind = "compressive"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        task = context.tasks[-1]
        stale = {answer.turn.id for answer in views.droppable(task)}
        return views.without(conversation, stale, lambda turn: marked(turn, context.ledger))
