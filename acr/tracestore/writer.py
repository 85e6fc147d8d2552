"""Writes traces behind the requests: a bounded queue, and one thread that empties it in batches.

`add` never waits and never raises. While the store is away traces wait in the queue; when it is full, new
ones are dropped and counted. A store that hangs holds up this thread and nothing else.
"""

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

from acr.trace import Trace
from acr.tracestore.form import Stored, stored

if TYPE_CHECKING:
    from acr.tracestore.database import Database

QUEUE, HELD = 2000, 64 * 1024 * 1024
"""Traces, and about the bytes of text in them, that may wait."""
BATCH, HEAVY = 100, 8 * 1024 * 1024
"""The same of one batch."""
LINGER = 0.1
"""Seconds to wait for more to write with it."""
REST = 3.0
"""Rest between two traces, in times of what the last one took."""
FIRST, LONGEST = 0.5, 5.0
"""Seconds until a failed batch is tried again: at first and at most, doubling in between."""
SLOW = 2.0
"""Seconds after which a write that is under way is told as trouble."""
SWEEP = 60.0
"""Seconds between two looks at age and size, at most; sooner where much was written."""
LEAVE = 3.0
"""Seconds that writing may go on when the proxy stops."""

log = logging.getLogger("acr.traces")


@dataclass(slots=True)
class Counts:
    """What the writer did since the process began."""

    writes: Counter[str] = field(default_factory=Counter)
    """Traces: `kept`, `without_text` (kept, but its text could not be redacted or was too long), `dropped`
    (the queue was full), `failed` (the store would not have it, or the proxy stopped)."""
    deleted: int = 0
    """Traces deleted by age or size."""
    faults: Counter[str] = field(default_factory=Counter)
    """Exchanges with the store that failed, by class of the error."""
    exchanges: int = 0
    seconds: float = 0.0
    """Time in exchanges with the store; failed ones too."""


class Writer:
    """Begin with `start`, end with `close`. `limit` in bytes, `days` of age; the thread uses `redact`."""

    def __init__(
        self, database: "Database", redact: Callable[[str], str], *, days: float, limit: int
    ) -> None:
        self.database = database
        self.counts = Counts()
        self.fault = ""
        """Class of the error that the store answered with last; empty while it works."""
        self._why = ""
        self._redact, self._days, self._limit = redact, days, limit
        self._queue: deque[tuple[Trace, int]] = deque()
        self._held = 0
        self._change = threading.Condition()
        self._stopping = threading.Event()
        self._asked_at: float | None = None
        self._known = False
        self._swept, self._since_sweep = 0.0, 0
        self._thread = threading.Thread(target=self._run, name="acr-traces", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def add(self, trace: Trace, weight: int = 0) -> None:
        """Have a trace written some time. `weight` is about the bytes of text in it."""
        with self._change:
            if len(self._queue) >= QUEUE or self._held + weight > HELD or self._stopping.is_set():
                self.counts.writes["dropped"] += 1
                return
            self._queue.append((trace, weight))
            self._held += weight
            self._change.notify()

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def up(self) -> bool:
        return self.trouble() is None

    def trouble(self) -> str | None:
        """What is wrong with the store, in few words that hold no address, or None. For `/readyz`."""
        asked, lost = self._asked_at, self.counts.writes["dropped"]
        if self.fault:
            told = f"{self.database.name} takes none ({self._why or self.fault})"
        elif asked is not None and monotonic() - asked > SLOW:
            told = f"{self.database.name} has not answered for {monotonic() - asked:.0f} s"
        else:
            return None
        return f"{told}: {len(self._queue)} traces wait, {lost} were dropped"

    def close(self) -> None:
        """Write what waits, if the store takes it soon, and end. What it does not take is lost."""
        self._stopping.set()
        with self._change:
            self._change.notify()
        if self._thread.is_alive():
            self._thread.join(LEAVE)
        self.counts.writes["failed"] += len(self._queue)
        if not self._thread.is_alive():
            self.database.close()

    def _run(self) -> None:
        while True:
            traces = self._take()
            if not traces and self._stopping.is_set():
                return
            rows = [self._row(trace) for trace in traces]
            del traces
            pause = FIRST
            while not self._attempt(rows):
                if self._stopping.wait(pause):
                    self.counts.writes["failed"] += len(rows)
                    return
                pause = min(2 * pause, LONGEST)

    def _row(self, trace: Trace) -> Stored:
        """The row of a trace, and a rest after it: one thread runs at a time, and requests come first.

        After an outage a whole queue is worked off. Where traces come faster than that there is no rest.
        """
        begun = perf_counter()
        row = stored(trace, self._redact)
        if len(self._queue) < QUEUE // 2:
            self._stopping.wait(min(REST * (perf_counter() - begun), LINGER))
        return row

    def _take(self) -> list[Trace]:
        """The next batch; none when it is time to look at age and size, or to stop."""
        with self._change:
            if not self._queue and not self._stopping.is_set():
                self._change.wait(SWEEP if self._swept else 0.0)
        if self._queue:
            self._stopping.wait(LINGER)
        taken: list[Trace] = []
        heavy = 0
        with self._change:
            while self._queue and len(taken) < BATCH and heavy < HEAVY:
                trace, weight = self._queue.popleft()
                self._held -= weight
                heavy += weight
                taken.append(trace)
        return taken

    def _attempt(self, rows: list[Stored]) -> bool:
        """Write the batch and delete what is too much. False if it has to be tried again."""
        from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

        from acr.errors import StoreError

        begun, self._asked_at = perf_counter(), monotonic()
        try:
            self._exchange(rows)
        except (SQLAlchemyError, StoreError, OSError) as error:
            self._failed(error)
            if not isinstance(error, DataError | IntegrityError):
                return False
            self.counts.writes["failed"] += len(rows)
        except Exception as error:  # a fault of ACR's own: this thread must go on
            self._failed(error)
            self.counts.writes["failed"] += len(rows)
        else:
            if self.fault:
                log.warning("the store of traces works again")
            self.fault = self._why = ""
        finally:
            self._asked_at = None
            self.counts.exchanges += 1
            self.counts.seconds += perf_counter() - begun
        return True

    def _exchange(self, rows: list[Stored]) -> None:
        if not self._known:
            self.database.check()
            self._known = True
        if rows:
            self.database.write(rows)
            self.counts.writes["without_text"] += sum(row.unredacted for row in rows)
            self.counts.writes["kept"] += sum(not row.unredacted for row in rows)
            self._since_sweep += sum(row.size for row in rows)
            rows.clear()  # written: if what follows fails, only that is tried again
        if monotonic() - self._swept > SWEEP or self._since_sweep > self._limit / 50 or not self._swept:
            self.counts.deleted += self.database.retain(self._days, self._limit)
            self._swept, self._since_sweep = monotonic(), 0

    def _failed(self, error: Exception) -> None:
        from acr.errors import StoreError

        kind = type(getattr(error, "orig", None) or error).__name__
        self.counts.faults[kind] += 1
        self._known = False
        if not self.fault:
            log.warning("the store of traces fails: %s; requests go on, traces wait or are dropped", kind)
        self.fault, self._why = kind, str(error) if isinstance(error, StoreError) else ""
