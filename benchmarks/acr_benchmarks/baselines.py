"""Operators that exist to be compared with. They are not installed: no request can name them.

`drop_answers` is the trivial baseline of every benchmark in which a specification comes in pieces: all
answers go and the user's turns become one, which is CONCAT with other white space. It wins such a benchmark
and ruins a conversation: "shorten the second one" is left without a second one. So a policy that claims
anything is shown beside it, on the benchmark and on the control conversations.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acr import registry, views
from acr.conversation import Conversation
from acr.decision import Context, Kind, Operator
from acr.edits import Edit


@dataclass(frozen=True, slots=True)
class DropAnswers:
    """Drops every earlier answer, whatever was asked, and joins all user turns. Harmful; see above."""

    name: str = "drop_answers"
    kind: Kind = "compressive"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        answers = {turn.id for turn in conversation.assistants if not turn.calls}
        return views.without(conversation, answers, lambda turn: turn.text.strip())


BASELINES: dict[str, Operator] = {operator.name: operator for operator in (DropAnswers(),)}


def operator(spec: str) -> Operator:
    """An installed operator or a baseline by name. Raises `ConfigError` naming the installed ones."""
    return BASELINES.get(spec) or registry.operator(spec)


def operators() -> dict[str, Operator]:
    """All installed operators, and the baselines."""
    return {**registry.operators(), **BASELINES}
