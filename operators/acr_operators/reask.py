"""Have one precise question asked instead of a guess.

Clarification as a first-class action (Inan et al., "Dialogue is the Plan"), in two forms. *Answering*: where
the client allows it (`x-acr-questions`), it gets the question at once and no model is asked: the assistant's
own earlier question if the user has not replied to it, else one in the user's language. *Instructing*: one
fenced sentence in front of the newest turn. Neither where the user has said to go ahead, or where ACR does
not have the words in the user's language.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr.asking import unanswered, unwilling
from acr.conversation import Conversation
from acr.decision import Answer, Context, Kind
from acr.edits import Edit
from acr.phrases import phrase
from acr.views import in_front


@dataclass(frozen=True, slots=True)
class Reask:
    """Asks the client where it may, and else instructs the model for this turn only."""

    name: str = "reask"
    kind: Kind = "corrective"
    opens: bool = True

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit] | Answer:
        task = context.tasks[-1]
        if any(unwilling(user.turn.text) for user in task.users):
            return []
        if context.questions:
            question = unanswered(task) or phrase("ask", context.language)
            if question:
                return Answer(question)
        instruction = phrase("reask", context.language)
        return in_front(conversation.turns[-1], "reask", instruction) if instruction else []
