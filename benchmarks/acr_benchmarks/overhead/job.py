"""What the load generator is told, and what it tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Talk = Literal["plain", "lost"]
"""`plain`: questions of their own, which the rules leave alone. `lost`: a task told in pieces."""


@dataclass(frozen=True, slots=True)
class Job:
    """One slice of load on one address."""

    port: int
    connections: int = 1
    seconds: float = 1.0
    requests: int = 0
    """Stop after this many, before the time is over; 0 for no bound."""
    rate: float = 0.0
    """Requests a second in an open loop; 0 is a closed loop."""
    stream: bool = True
    tokens: int = 2000
    """About how many the conversation has."""
    turns: int = 20
    talk: Talk = "plain"
    chunks: int = 21
    gap: int = 0
    """Microseconds between the events of the answer."""
    headers: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    host: str = "127.0.0.1"

    @property
    def paced(self) -> bool:
        return self.stream and self.gap > 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One exchange as the client saw it. Times in milliseconds."""

    whole: bool
    first: float
    """Until the first byte of the body's first event."""
    total: float
    decision: str = ""
    """ACR's `x-acr-decision`, if there was one."""
    delays: tuple[float, ...] = ()
    """Of each event of a paced stream, from being sent to being here."""
    stall: float = 0.0
    """How much longer the longest silence of a paced stream was here than at the upstream."""


@dataclass(slots=True)
class Result:
    """What came of a job. Lists in order of completion; times in milliseconds."""

    job: Job
    seconds: float = 0.0
    begun: int = 0
    failed: int = 0
    """Exchanges that broke off, were refused or came incomplete."""
    first: list[float] = field(default_factory=list)
    total: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    stalls: list[float] = field(default_factory=list)
    decisions: dict[str, int] = field(default_factory=dict)

    def take(self, answer: Answer) -> None:
        if not answer.whole:
            self.failed += 1
            return
        self.first.append(round(answer.first, 4))
        self.total.append(round(answer.total, 4))
        self.delays += (round(delay, 4) for delay in answer.delays)
        if answer.delays:
            self.stalls.append(round(answer.stall, 4))
        self.decisions[answer.decision] = self.decisions.get(answer.decision, 0) + 1
