"""A circuit breaker: a server that is away is waited for once, not once by every request."""

from collections.abc import Callable
from time import monotonic

FIRST, LONGEST = 0.5, 5.0
"""Seconds until the server is tried again: after the first failure, and at most, doubling in between."""


class Breaker:
    """Open after a failure. While it is open, `due` is true once each pause: then one may try."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.fault = ""
        """Class of the error that opened it; empty while it is closed."""
        self._clock = clock
        self._pause = FIRST
        self._until = 0.0
        self._trying = False

    def trip(self, fault: str) -> None:
        """Something failed. The first of many at once begins a pause, a try that failed a longer one; what
        was under way at the same time changes nothing.
        """
        if self.fault and not self._trying:
            return
        self._pause = min(self._pause * 2, LONGEST) if self.fault else FIRST
        self.fault, self._trying = fault, False
        self._until = self._clock() + self._pause

    def close(self) -> None:
        """It worked."""
        self.fault, self._trying = "", False

    @property
    def due(self) -> bool:
        """Whether it is closed, or the pause is over. Whoever is told so tries; others wait a pause more."""
        if not self.fault:
            return True
        now = self._clock()
        if now < self._until:
            return False
        self._until, self._trying = now + self._pause, True
        return True
