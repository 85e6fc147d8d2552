"""The last traces, in memory, bounded by number and by the text they hold."""

from collections import OrderedDict

from acr.trace import Trace

MAX_TEXT = 64 * 1024 * 1024
"""Bytes of request bodies whose text may be held, where text is kept at all."""


class Traces:
    def __init__(self, size: int) -> None:
        self.size = size
        self._held: OrderedDict[str, tuple[Trace, int]] = OrderedDict()
        self._weight = 0

    def add(self, trace: Trace, weight: int = 0) -> None:
        """Keep a trace; the oldest go. `weight` is about the bytes of text in it. An id used anew wins."""
        if self.size == 0:
            return
        if trace.id in self._held:
            self._weight -= self._held.pop(trace.id)[1]
        self._held[trace.id] = (trace, weight)
        self._weight += weight
        while len(self._held) > self.size or (self._weight > MAX_TEXT and len(self._held) > 1):
            self._weight -= self._held.popitem(last=False)[1][1]

    def get(self, id: str) -> Trace | None:
        held = self._held.get(id)
        return held[0] if held else None

    def newest(self, limit: int) -> list[Trace]:
        """The newest traces, newest first."""
        result: list[Trace] = []
        for trace, _ in reversed(self._held.values()):
            if len(result) >= limit:
                break
            result.append(trace)
        return result
