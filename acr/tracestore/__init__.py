"""The store of traces: SQLite or PostgreSQL, off by default, never on the way of a request.

    relay ─► Writer (bounded queue, one thread) ─► redact ─► Database ─► SQLite | PostgreSQL

A trace that cannot be written is dropped and counted; no client ever waits for it. SQLAlchemy is imported by
`database` alone, and that only where there is a store.
"""

from acr.tracestore.form import Stored, stored
from acr.tracestore.redact import Redactor, redactor
from acr.tracestore.writer import Writer

__all__ = ["Redactor", "Stored", "Writer", "redactor", "stored"]
