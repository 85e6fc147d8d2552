"""A controller in one file."""

from acr import Conversation, Decision, Signals


class Third:
    """Intervenes from the third turn of the user on."""

    name = "third"

    def __init__(self, operator: str = "count") -> None:
        self.operator = operator

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        if signals["user_turns"].value < 3:
            return Decision(None, "not yet", controller=self.name)
        return Decision(self.operator, "three turns or more", 0.9, self.name)
