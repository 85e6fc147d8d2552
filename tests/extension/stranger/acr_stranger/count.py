"""An operator in one file."""

from collections.abc import Sequence
from dataclasses import dataclass

from acr import Context, Conversation, Edit, Rewrite


@dataclass(frozen=True)
class Count:
    """Tells the model how many turns the user has had."""

    word: str = "turn"

    name: str = "count"
    kind: str = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        newest = conversation.turns[-1]
        return [Rewrite(newest.id, f"({self.word} {len(conversation.users)})\n\n{newest.text}")]
