"""Drop answer attempts that later ones replaced; keep the newest and any referred to.

Path pruning in the terms of the ACR paper: the model still sees its latest answer and can build on it, but no
longer the trail of older ones that anchors it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr import views
from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit
from acr.marks import marked
from acr.reading.staleness import drafts, stale


@dataclass(frozen=True, slots=True)
class Prune:
    """Of a chain of answers that do the same work, keeps the newest."""

    name: str = "prune"
    kind: Kind = "compressive"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        task = context.tasks[-1]
        newest = {answer.turn.id for answer in task.attempts[-1:]}
        old = {answer.turn.id for answer in (*stale(task), *drafts(task))} - newest - views.needed(task)
        return views.without(conversation, old, lambda turn: marked(turn, context.ledger))
