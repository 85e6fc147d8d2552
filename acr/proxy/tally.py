"""What was counted since the worker started. Told once a request, after its last byte; read by `/metrics`.

Plain numbers: counting costs microseconds, and whoever reads them makes of them what is wanted.
"""

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from acr.chances import lost
from acr.proxy.exchange import Exchange
from acr.trace import Trace

SECONDS = (
    0.0005,
    0.001,
    0.002,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
    60.0,
    120.0,
)
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

MAX_NAMES = 50
"""Names of operators and controllers that are told apart: clients choose them, each makes a time series."""
OTHER = "other"


@dataclass(slots=True)
class Histogram:
    """Observations in buckets; `counts` has one more for what is above the last bound."""

    bounds: tuple[float, ...]
    counts: list[int] = field(default_factory=list)
    sum: float = 0.0

    def __post_init__(self) -> None:
        self.counts = self.counts or [0] * (len(self.bounds) + 1)

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Names:
    """The first names that come, and `other` for all after them."""

    def __init__(self, most: int = MAX_NAMES) -> None:
        self._most = most
        self._known: set[str] = set()

    def bounded(self, name: str) -> str:
        if name not in self._known:
            if len(self._known) >= self._most:
                return OTHER
            self._known.add(name)
        return name


class Tally:
    """Counts what it is told of. Call it with each exchange and its trace."""

    def __init__(self, endpoints: frozenset[str]) -> None:
        self.endpoints = endpoints
        self.started = time.time()
        self.requests: Counter[tuple[str, str, str, str]] = Counter()
        """By endpoint, decision, operator and status."""
        self.decisions: Counter[tuple[str, str, str]] = Counter()
        """By controller, decision and operator: what one policy did."""
        self.failures: Counter[str] = Counter()
        """Requests that went on as they came because something of ACR's failed, by its kind."""
        self.broken: Counter[str] = Counter()
        """Answers that broke off, by endpoint."""
        self.tokens: Counter[str] = Counter()
        """`before` and `after` of what was refactored (estimates), `prompt` and `completion` as reported."""
        self.auxiliary: Counter[str] = Counter()
        """Tokens of the auxiliary model, `prompt` and `completion`."""
        self.overhead = Histogram(SECONDS)
        self.deciding = Histogram(SECONDS)
        self.operators: defaultdict[str, Histogram] = defaultdict(lambda: Histogram(SECONDS))
        self.first_byte: defaultdict[str, Histogram] = defaultdict(lambda: Histogram(SECONDS))
        self.whole: defaultdict[str, Histogram] = defaultdict(lambda: Histogram(SECONDS))
        self.lost = Histogram(SHARES)
        self._operators, self._controllers, self._kinds = Names(), Names(), Names()

    def __call__(self, exchange: Exchange, trace: Trace | None) -> None:
        prepared = exchange.prepared
        path = exchange.path.rstrip("/")
        endpoint = path if path in self.endpoints else OTHER
        decision = (
            prepared.verdict
            if prepared
            else "relayed"
            if exchange.first_byte or exchange.error
            else "refused"
        )
        operator = self._operators.bounded(trace.operator) if trace and trace.operator else ""
        self.requests[endpoint, decision, operator, _status(exchange.status)] += 1
        if exchange.error:
            self.broken[endpoint] += 1
        if exchange.first_byte is not None:
            self.first_byte[endpoint].add(exchange.first_byte - exchange.started)
        self.whole[endpoint].add(time.perf_counter() - exchange.started)
        if prepared is None:
            return
        self.overhead.add(prepared.seconds)
        self._reported(trace)
        outcome = prepared.outcome
        if outcome is None:
            return
        self.decisions[self._controllers.bounded(outcome.decision.controller), decision, operator] += 1
        if outcome.failure is not None:
            self.failures[self._kinds.bounded(type(outcome.failure).__name__)] += 1
        if outcome.signals is not None:
            self.deciding.add(outcome.deciding)
            self.lost.add(lost(outcome.decision))
        if outcome.decision.operator is not None:
            self.operators[operator].add(outcome.seconds - outcome.deciding)
        if outcome.tokens is not None and decision == "intervened":
            self.tokens["before"] += outcome.tokens[0]
            self.tokens["after"] += outcome.tokens[1]

    def _reported(self, trace: Trace | None) -> None:
        if trace is None:
            return
        used = trace.answer.usage if trace.answer else None
        for counted, usage in ((self.tokens, used), (self.auxiliary, trace.auxiliary)):
            if usage is not None:
                counted["prompt"] += usage.prompt_tokens or 0
                counted["completion"] += usage.completion_tokens or 0

    def data(self) -> dict[str, Any]:
        """The totals as JSON, for people."""
        return {
            "since": self.started,
            "requests": _rows(self.requests, "endpoint", "decision", "operator", "status"),
            "decisions": _rows(self.decisions, "controller", "decision", "operator"),
            "failures": dict(self.failures),
            "broken": dict(self.broken),
            "tokens": dict(self.tokens),
            "auxiliary": dict(self.auxiliary),
            "overhead": _course(self.overhead),
        }


def _rows(counted: Counter[Any], *names: str) -> list[dict[str, Any]]:
    return [{**dict(zip(names, key, strict=True)), "count": count} for key, count in counted.items()]


def _course(histogram: Histogram) -> dict[str, Any]:
    return {"bounds": list(histogram.bounds), "counts": list(histogram.counts), "sum": histogram.sum}


_KNOWN = frozenset(status.value for status in HTTPStatus)


def _status(status: int) -> str:
    """A status as a label: upstreams may send any number."""
    return str(status) if status in _KNOWN else "none" if status == 0 else OTHER
