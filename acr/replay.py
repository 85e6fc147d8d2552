"""What a policy would have done at every turn of a conversation, and what provider caches would make of it.

Each turn of the user is replayed with the turns before it as they were logged, as a proxy would have seen
it. The assistant's logged answers are what the model said then; under another context it might have said
something else, which no replay can know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acr import tokens
from acr.conversation import Conversation, Turn
from acr.engine import Engine, Outcome

_RECENT = 8
"""Earlier requests of the conversation whose prefix a provider may still hold."""


@dataclass(frozen=True, slots=True)
class Step:
    """One user turn. Token counts are estimates."""

    turn: Turn
    outcome: Outcome
    raw: int
    """Prompt tokens as the client sent them."""
    raw_cached: int
    """Those of them that stand at the beginning of an earlier request, too."""
    sent: int
    """Prompt tokens as the policy would have sent them; 0 where it answers itself."""
    sent_cached: int


async def replay(
    conversation: Conversation, engine: Engine, *, operator: str | None = None, questions: int = 0
) -> list[Step]:
    """Run the engine at every user turn, in order. Arguments as those of `Engine.run`."""
    steps: list[Step] = []
    raws: list[Conversation] = []
    views: list[Conversation] = []
    for prefix in prefixes(conversation):
        outcome = await engine.run(prefix, operator=operator, questions=questions)
        view = outcome.conversation
        answered = outcome.answer is not None
        steps.append(
            Step(
                turn=prefix.turns[-1],
                outcome=outcome,
                raw=tokens.count_conversation(prefix),
                raw_cached=cached(raws, prefix),
                sent=0 if answered else tokens.count_conversation(view),
                sent_cached=0 if answered else cached(views, view),
            )
        )
        raws.append(prefix)
        if not answered:
            views.append(view)
    return steps


def prefixes(conversation: Conversation) -> Iterator[Conversation]:
    """The conversation as it was at each turn of the user."""
    for index, turn in enumerate(conversation.turns):
        if turn.role == "user" and not turn.answers:
            yield Conversation(conversation.turns[: index + 1])


def cached(earlier: Sequence[Conversation], now: Conversation) -> int:
    """Tokens of `now` that a cache of prefixes would hit, of requests that came before it."""
    return max((shared(one, now) for one in earlier[-_RECENT:]), default=0)


def shared(before: Conversation, now: Conversation) -> int:
    """Tokens at the beginning of `now` that `before` begins with, too."""
    total = 0
    for old, new in zip(before, now, strict=False):
        if old.role != new.role:
            break
        if old.text != new.text or old.calls != new.calls:
            return total + tokens.count(common(old.text, new.text))
        total += tokens.count_turn(new)
    return total


def common(old: str, new: str) -> str:
    """The longest text that both begin with."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[:middle] == new[:middle]:
            low = middle
        else:
            high = middle - 1
    return new[:low]


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over steps."""

    turns: int
    intervened: int
    answered: int
    failed: int
    raw: int
    raw_cached: int
    sent: int
    sent_cached: int

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "Totals":
        return cls(
            turns=len(steps),
            intervened=sum(step.outcome.changed for step in steps),
            answered=sum(step.outcome.answer is not None for step in steps),
            failed=sum(step.outcome.failure is not None for step in steps),
            raw=sum(step.raw for step in steps),
            raw_cached=sum(step.raw_cached for step in steps),
            sent=sum(step.sent for step in steps),
            sent_cached=sum(step.sent_cached for step in steps),
        )

    @property
    def raw_share(self) -> float:
        """Share of the client's prompt tokens that a cache would hit."""
        return self.raw_cached / self.raw if self.raw else 0.0

    @property
    def sent_share(self) -> float:
        """The same of what the policy would have sent."""
        return self.sent_cached / self.sent if self.sent else 0.0
