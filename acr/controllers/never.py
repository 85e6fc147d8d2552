"""The controller that never intervenes: the baseline."""

from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Decision
from acr.signals import Signals


@dataclass(frozen=True, slots=True)
class Never:
    """Always decides to do nothing."""

    name: str = "never"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        return Decision(None, "this controller never intervenes", controller=self.name)
