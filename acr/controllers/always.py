"""The controller that always applies one operator: the trivial baseline of every comparison."""

from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Decision
from acr.errors import ConfigError
from acr.signals import Signals


@dataclass(frozen=True, slots=True)
class Always:
    """`always:consolidate` asks for `consolidate` at every turn that the gate lets through."""

    operator: str = ""
    opens: bool = True
    """`always:reask` has something to ask at the first turn; other operators are not asked there."""

    def __post_init__(self) -> None:
        if not self.operator:
            raise ConfigError("controller 'always' needs an operator: always:consolidate, always:recap, …")

    @property
    def name(self) -> str:
        return f"always:{self.operator}"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        return Decision(self.operator, "asked for at every turn", controller=self.name)
