"""Drop answer attempts that later requirements overtook; keep the last one and any referred to.

Path pruning in the terms of the ACR paper: the model still sees its latest answer and can build on it,
but no longer the trail of failed ones that anchors it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr import views
from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit
from acr.marks import marked
from acr.signals import ATTEMPT


@dataclass(frozen=True, slots=True)
class Prune:
    """Keeps the newest `keep` attempts."""

    keep: int = 1
    name: str = "prune"
    kind: Kind = "compressive"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        droppable = views.droppable(context.tasks[-1])
        attempts = [answer.turn.id for answer in droppable if answer.attempt >= ATTEMPT]
        stale = set(attempts[: max(0, len(attempts) - self.keep)])
        return views.without(conversation, stale, lambda turn: marked(turn, context.ledger))
