"""What summarising middlewares do: once a conversation is long, shorten its older part.

LangChain's SummarizationMiddleware, the compaction of coding agents and others look at the number of tokens
only, and let a model write a summary of the oldest turns. The nearest operator that needs no model is
`consolidate`: the user's earlier messages become one, verbatim, and stale answers before it go. It is gentler
than a summary, since it loses nothing the user said, and it finds nothing to do where no answer is stale.
"""

from dataclasses import dataclass

from acr import tokens
from acr.conversation import Conversation
from acr.decision import Decision
from acr.errors import ConfigError
from acr.signals import Signals

LIMIT = 4000
"""Tokens, as estimated by `acr.tokens`."""
OPERATOR = "consolidate"


@dataclass(frozen=True, slots=True)
class TokenThreshold:
    """Asks for `operator` where a conversation has more than `limit` tokens."""

    limit: int = LIMIT
    operator: str = OPERATOR

    @property
    def name(self) -> str:
        return f"token_threshold:{self.limit}:{self.operator}"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        count = tokens.count_conversation(conversation)
        if count <= self.limit:
            return Decision(None, f"{count} tokens, not over {self.limit}", controller=self.name)
        return Decision(self.operator, f"{count} tokens, over {self.limit}", controller=self.name)


def make(argument: str = "") -> TokenThreshold:
    """The controller of a spec. Raises `ConfigError`.

    `token_threshold:4000` names tokens, `token_threshold:0.8*32768` a share of a context window; another
    operator may follow, `token_threshold:4000:prune`.
    """
    limit, _, operator = argument.partition(":")
    share, by, window = limit.partition("*")
    try:
        count = float(share) * int(window) if by else int(limit or LIMIT)
    except ValueError:
        count = 0.0
    if not 1 <= count < 1e12:
        raise ConfigError(f"token_threshold needs a number of tokens, or SHARE*WINDOW, not {limit!r}")
    return TokenThreshold(int(count), operator or OPERATOR)
