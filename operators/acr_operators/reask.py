"""Have the model ask one precise question instead of guessing.

Clarification as a first-class action (Inan et al., "Dialogue is the Plan"). This is the instructing form:
one fenced sentence in front of the newest turn, in the user's language. It is left out where the user has
said to go ahead, and where ACR does not have the sentence in the user's language.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit
from acr.phrases import phrase
from acr.reading.features import features
from acr.views import in_front


@dataclass(frozen=True, slots=True)
class Reask:
    """Instructs the model for this turn only."""

    name: str = "reask"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        newest = conversation.turns[-1]
        instruction = phrase("reask", context.language)
        if not instruction or features(newest.text).does("just_do_it"):
            return []
        return in_front(newest, "reask", instruction)
