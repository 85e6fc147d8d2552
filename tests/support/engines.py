"""Small engines for tests of the proxy: what is decided is fixed, so what reaches the wire is known."""

from collections.abc import Sequence
from dataclasses import dataclass

from acr.conversation import Conversation
from acr.decision import Context, Decision, Kind
from acr.edits import Drop, Edit, Insert, Rewrite
from acr.engine import Engine
from acr.signals import Signals


@dataclass(frozen=True)
class Fixed:
    """Always decides on the same operator."""

    operator: str | None
    name: str = "fixed"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        return Decision(self.operator, "as the test wants it", 1.0, self.name)


@dataclass(frozen=True)
class Lead:
    """Puts a note in front of the newest turn."""

    note: str = "[note] "
    name: str = "lead"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        newest = conversation.turns[-1]
        return [Rewrite(newest.id, self.note + newest.text)]


@dataclass(frozen=True)
class Fold:
    """Drops all dialogue before the newest turn and puts the users' words in front of it."""

    name: str = "fold"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        *earlier, newest = conversation.dialogue
        words = "\n".join(turn.text for turn in earlier if turn.role == "user")
        drops: list[Edit] = [Drop(turn.id) for turn in earlier]
        return [*drops, Rewrite(newest.id, f"{words}\n\n{newest.text}")]


@dataclass(frozen=True)
class InsertBefore:
    """Puts a whole user turn before the newest."""

    name: str = "insert"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        return [Insert(conversation.turns[-1].id, "user", 'a "quoted" line\n')]


@dataclass(frozen=True)
class Broken:
    """Raises."""

    name: str = "broken"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        raise RuntimeError("secret text of the user")


def engine(operator: str | None = None, *, deadline: float = 2.0) -> Engine:
    """An engine that always decides on `operator`; all of the above can be forced."""
    made = (Lead(), Fold(), InsertBefore(), Broken())
    return Engine(Fixed(operator), {each.name: each for each in made}, deadline)
