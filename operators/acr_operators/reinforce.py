"""Restate, in front of the newest turn, what both sides settled and what must keep holding.

Cognitive reinforcement in the terms of the ACR paper: decisions that one side proposed and the other agreed
to, prohibitions and standing preferences, each in the words in which it was said. A prohibition outlives its
task; a decision does not. Of what the user proposed, only what carries a figure or a name counts: a request
that was done must not be brought up again. What a later correction may have touched is left out: repeating it
would do more harm than forgetting it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Edit
from acr.phrases import phrase
from acr.reading.features import features
from acr.views import in_front

_LONG = 400
"""Characters: a longer proposal is the draft itself, which the history shows."""


@dataclass(frozen=True, slots=True)
class Reinforce:
    """One fenced block with the decisions, prohibitions and preferences that hold."""

    most: int = 20
    """Prohibitions and preferences, and decisions, that are restated: the newest."""

    name: str = "reinforce"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        newest = conversation.turns[-1]
        rules = [*standing(context, newest.id)][-self.most :]
        lines = dict.fromkeys([*rules, *[*settled(conversation, context, newest.id)][-self.most :]])
        if not lines:
            return []
        heading = phrase("holds", context.language)
        body = "\n".join([*([heading] if heading else []), *(f"- {line}" for line in lines)])
        return in_front(newest, "holds", body)


def standing(context: Context, newest: str) -> Iterator[str]:
    """Prohibitions and preferences, whole: one of which a part no longer holds is not certain."""
    for item in context.ledger.standing:
        if item.turn != newest and not item.gone and item.replaced_by is None:
            yield item.text


def settled(conversation: Conversation, context: Context, newest: str) -> Iterator[str]:
    """Decisions of the open task and of the one that agreement closed before it ("Yes, let's do that." –
    "Write the invitation."); the assistant's in quotation marks with the words of agreement.
    """
    ledger = context.ledger
    first = ledger.task - 1
    corrections = [item for item in ledger.items if item.task >= first and item.kind == "correction"]
    latest = max((conversation.position[item.turn] for item in corrections), default=-1)
    for decision in ledger.decisions:
        proposal = decision.proposal
        if proposal.task < first or proposal.gone or len(proposal.text) > _LONG:
            continue
        if conversation.position[decision.settled_in] <= latest or newest in (
            proposal.turn,
            decision.settled_in,
        ):
            continue
        if decision.proposed_by == "assistant":
            yield f"“{proposal.text}” – {decision.settled_by}"
        elif proposal.kind != "goal" and (said := features(proposal.text)) and (said.numbers or said.names):
            yield proposal.text
