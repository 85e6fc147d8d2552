"""The last traces, in memory, bounded by number and by the text they hold.

A decision looks at a few signals, a person at all of them. The others are worked out when somebody looks, or
one trace after another in between; where more requests come than that is time for, older traces go without.
"""

import asyncio
import logging
from collections import OrderedDict, deque

from acr.signals import Signals
from acr.trace import Trace

log = logging.getLogger("acr.proxy")

BACKLOG = 64
"""Traces that may wait for their signals: each holds a conversation."""
PAUSE = 0.005
"""Seconds between two of them."""

MAX_TEXT = 64 * 1024 * 1024
"""Bytes of request bodies whose text may be held, where text is kept at all."""


class Traces:
    def __init__(self, size: int, pause: float = PAUSE) -> None:
        self.size = size
        self.pause = pause
        self._held: OrderedDict[str, tuple[Trace, int]] = OrderedDict()
        self._weight = 0
        self._lacking: deque[tuple[Trace, Signals]] = deque(maxlen=BACKLOG)
        self._soon: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many traces still lack signals."""
        return len(self._lacking)

    def add(self, trace: Trace, weight: int = 0, signals: Signals | None = None) -> None:
        """Keep a trace; the oldest go. `weight` is about the bytes of text in it. An id used anew wins.

        `signals` are what it still lacks; only within a running loop.
        """
        if self.size == 0:
            return
        if signals is not None:
            self._lacking.append((trace, signals))
            if self._soon is None:
                self._soon = asyncio.get_running_loop().call_later(self.pause, self._next)
        if trace.id in self._held:
            self._weight -= self._held.pop(trace.id)[1]
        self._held[trace.id] = (trace, weight)
        self._weight += weight
        while len(self._held) > self.size or (self._weight > MAX_TEXT and len(self._held) > 1):
            self._weight -= self._held.popitem(last=False)[1][1]

    def _next(self) -> None:
        self._complete(1)
        again = bool(self._lacking)
        self._soon = asyncio.get_running_loop().call_later(self.pause, self._next) if again else None

    def _complete(self, most: int = BACKLOG) -> None:
        """Work out the signals of traces that lack them, the newest first."""
        for _ in range(min(most, len(self._lacking))):
            trace, signals = self._lacking.pop()
            try:
                trace.signals = signals.numbers()
            except Exception as fault:  # the trace has what the decision looked at
                log.error("signals are missing: %s", type(fault).__name__)

    def get(self, id: str) -> Trace | None:
        self._complete()
        held = self._held.get(id)
        return held[0] if held else None

    def newest(self, limit: int) -> list[Trace]:
        """The newest traces, newest first."""
        self._complete()
        result: list[Trace] = []
        for trace, _ in reversed(self._held.values()):
            if len(result) >= limit:
                break
            result.append(trace)
        return result
