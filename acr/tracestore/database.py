"""The database of traces, through SQLAlchemy: SQLite or PostgreSQL, one table. Blocking; for threads.

Whatever goes wrong is raised as SQLAlchemy raises it, or as `StoreError` where ACR knows more.
"""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url

from acr.errors import StoreError
from acr.trace import Trace
from acr.tracestore.form import Stored, whole

MIGRATIONS = Path(__file__).with_name("migrations")
LOCK = 7_227_531
"""Names the lock in PostgreSQL that one migration at a time holds."""
CONNECT, STATEMENT = 5, 15
"""Seconds that PostgreSQL may take to be connected to, and for one statement."""
BUSY = 5.0
"""Seconds that another process may hold SQLite's lock."""
KEPT = 0.9
"""Share of the bound on size down to which the oldest are deleted, so that not each write has to."""
SLICE = 1000
"""Rows looked at or deleted at once."""

TRACES = sa.table(
    "acr_traces",
    *(
        sa.column(name)
        for name in ("seq", "uid", "id", "time", "decision", "operator", "size", "brief", "text")
    ),
)
ROW = TRACES.c


@dataclass(frozen=True, slots=True)
class Which:
    """A choice of traces."""

    since: float | None = None
    """Seconds since 1970, inclusive."""
    before: float | None = None
    decision: str | None = None
    operator: str | None = None
    text: bool = False
    """Only those that hold text."""

    def conditions(self) -> list[Any]:
        chosen: list[Any] = []
        if self.since is not None:
            chosen.append(ROW.time >= self.since)
        if self.before is not None:
            chosen.append(ROW.time < self.before)
        if self.decision is not None:
            chosen.append(ROW.decision == self.decision)
        if self.operator is not None:
            chosen.append(ROW.operator == self.operator)
        return [*chosen, ROW.text.is_not(None)] if self.text else chosen


class Database:
    """Connects when first used. The address is that of `ACR_STORE`."""

    def __init__(self, address: str) -> None:
        url = make_url(address)
        self.path: Path | None = None
        self.name = "sqlite" if url.get_backend_name() == "sqlite" else "postgresql"
        if self.name == "sqlite":
            self.path = Path(url.database or "")
            self.engine = sa.create_engine(url, connect_args={"timeout": BUSY}, pool_size=1)
            sa.event.listen(self.engine, "connect", _prepare)
            return
        self.engine = sa.create_engine(
            url.set(drivername="postgresql+psycopg"),
            pool_size=1,
            pool_timeout=1,
            pool_pre_ping=True,
            connect_args={
                "connect_timeout": CONNECT,
                "options": f"-c statement_timeout={STATEMENT * 1000}",
                "application_name": "acr",
                "keepalives_idle": 10,
                "keepalives_interval": 5,
                "keepalives_count": 3,
                "tcp_user_timeout": 15_000,
            },
        )

    def migrate(self) -> None:
        """Bring the schema up to date. Two that do so at once do no harm. Raises `StoreError`."""
        if self.path is not None:
            _create(self.path)
        config = Config(attributes={})
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        try:
            with self.engine.begin() as connection:
                if self.path is None:
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
                else:
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except sa.exc.SQLAlchemyError as error:
            raise StoreError(f"the store cannot be prepared: {cause(error)}") from error
        except Exception as error:  # alembic's own, such as a schema that it does not know
            raise StoreError(f"the store's schema is not of this version of ACR: {error}") from error

    def check(self) -> None:
        """Raise `StoreError` where the schema is not the one that this version needs."""
        with self.engine.connect() as connection:
            found = MigrationContext.configure(connection, opts={"version_table": "acr_schema"})
            current = found.get_current_revision()
        if current != ScriptDirectory(str(MIGRATIONS)).get_current_head():
            raise StoreError("its schema is not this version's: run `acr traces migrate`")

    def write(self, rows: Sequence[Stored]) -> None:
        """Write rows, all or none. Those that are there already stay as they are."""
        insert = (sqlite if self.name == "sqlite" else postgresql).insert(TRACES)
        values = [
            {
                name: getattr(row, name)
                for name in ("uid", "id", "time", "decision", "operator", "size", "brief", "text")
            }
            for row in rows
        ]
        with self.engine.begin() as connection:
            connection.execute(insert.on_conflict_do_nothing(index_elements=["uid"]), values)

    def get(self, id: str) -> Trace | None:
        """The newest trace of that id."""
        query = sa.select(ROW.brief, ROW.text).where(ROW.id == id).order_by(ROW.seq.desc()).limit(1)
        with self.engine.connect() as connection:
            found = connection.execute(query).first()
        return whole(found.brief, found.text) if found else None

    def newest(self, limit: int, which: Which | None = None, *, brief: bool = False) -> list[Trace]:
        """The newest traces, newest first; `brief` without their text."""
        text = sa.null().label("text") if brief else ROW.text
        query = sa.select(ROW.brief, text).where(*(which or Which()).conditions())
        with self.engine.connect() as connection:
            found = connection.execute(query.order_by(ROW.time.desc(), ROW.seq.desc()).limit(limit)).all()
        return [whole(row.brief, row.text) for row in found]

    def each(self, which: Which) -> Iterator[Trace]:
        """All of these, oldest first, read in slices: no transaction is held while somebody uses them."""
        after = 0
        while True:
            query = sa.select(ROW.seq, ROW.brief, ROW.text).where(ROW.seq > after, *which.conditions())
            with self.engine.connect() as connection:
                found = connection.execute(query.order_by(ROW.seq).limit(SLICE // 10)).all()
            if not found:
                return
            after = found[-1].seq
            for row in found:
                yield whole(row.brief, row.text)

    def count(self, which: Which) -> int:
        with self.engine.connect() as connection:
            query = sa.select(sa.func.count()).select_from(TRACES).where(*which.conditions())
            return int(connection.execute(query).scalar_one())

    def purge(self, which: Which, *, text_only: bool = False) -> int:
        """Delete these, or only their text; how many there were."""
        change = (
            sa.update(TRACES).values(text=None, size=sa.func.length(ROW.brief))
            if text_only
            else sa.delete(TRACES)
        )
        with self.engine.begin() as connection:
            return int(connection.execute(change.where(*which.conditions())).rowcount)

    def shrink(self) -> None:
        """Give what was deleted back to the disk. SQLite needs as much again for it meanwhile."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM" if self.path is not None else "VACUUM acr_traces")
            if self.path is not None:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def size(self) -> int:
        """Bytes in use: of SQLite its file's pages, of PostgreSQL the traces themselves."""
        with self.engine.connect() as connection:
            if self.path is None:
                return int(
                    connection.execute(sa.select(sa.func.coalesce(sa.func.sum(ROW.size), 0))).scalar_one()
                )
            pages, free, each = (
                connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
                for name in ("page_count", "freelist_count", "page_size")
            )
            return int((pages - free) * each)

    def retain(self, days: float, limit: int) -> int:
        """Delete what is older than that, and the oldest while there is more than `limit` bytes.

        Gives how many were deleted. Space is used again for new traces; `shrink` gives it back.
        """
        deleted = self.purge(Which(before=time.time() - days * 86_400))
        if self.size() <= limit:
            return deleted
        while self.size() > limit * KEPT and (gone := self._drop_oldest(limit)):
            deleted += gone
        return deleted

    def _drop_oldest(self, limit: int) -> int:
        excess = self.size() - int(limit * KEPT)
        with self.engine.begin() as connection:
            oldest = connection.execute(sa.select(ROW.seq, ROW.size).order_by(ROW.seq).limit(SLICE)).all()
            last = None
            for row in oldest:
                last, excess = row.seq, excess - row.size
                if excess <= 0:
                    break
            if last is None:
                return 0
            return int(connection.execute(sa.delete(TRACES).where(ROW.seq <= last)).rowcount)

    def close(self) -> None:
        self.engine.dispose()


def _prepare(connection: Any, _: Any) -> None:
    """Each new connection to SQLite: readers and the writer do not wait for each other."""
    for name, value in (
        ("auto_vacuum", "INCREMENTAL"),
        ("journal_mode", "WAL"),
        ("synchronous", "NORMAL"),
        ("secure_delete", "ON"),
        ("journal_size_limit", 16 * 1024 * 1024),
    ):
        connection.execute(f"PRAGMA {name}={value}")


def _create(path: Path) -> None:
    """An empty file that nobody but its owner may read; SQLite's other files take its mode."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"the store {path} cannot be opened: {error.strerror}") from None


def cause(error: Exception) -> str:
    """The driver's words, on one line: where they stand in SQLAlchemy's message there are values beside."""
    return " ".join(str(getattr(error, "orig", None) or type(error).__name__).split())
