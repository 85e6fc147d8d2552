"""Runs a query that a model wrote on a database that it cannot change, and compares results.

Only reading is allowed: an authorizer refuses everything else (writing, ATTACH, PRAGMA, loading
extensions), a progress handler ends what takes too long, and limits keep values and results small.
"""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from time import monotonic

SECONDS = 5.0
ROWS = 20_000
LENGTH = 1_000_000
"""Bytes of one value, or of the query."""
COLUMNS = 6
"""Up to so many columns are compared in any order; more must be in the order of the reference."""

ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
FORBIDDEN = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "randomblob", "random"}
"""Functions that reach out of the database, or whose results nobody can check."""

Rows = list[tuple[object, ...]]


class QueryError(Exception):
    """The query is malformed, wants more than reading, or takes too long."""


def run(database: bytes, query: str) -> Rows:
    """The rows of one SELECT. Raises `QueryError`."""
    connection = sqlite3.connect(":memory:", cached_statements=0)
    try:
        connection.deserialize(database)
        connection.execute("PRAGMA hard_heap_limit = 268435456").close()
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LENGTH)
        connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, LENGTH)
        connection.set_authorizer(authorize)
        end = monotonic() + SECONDS
        connection.set_progress_handler(lambda: monotonic() > end, 10_000)
        rows = connection.execute(query).fetchmany(ROWS + 1)
    except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError, OverflowError) as error:
        raise QueryError(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()
    if len(rows) > ROWS:
        raise QueryError(f"more than {ROWS} rows")
    return rows


def authorize(
    action: int, first: str | None, second: str | None, database: str | None, via: str | None
) -> int:
    """SQLite asks this for everything that a statement would do."""
    if action not in ALLOWED:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FORBIDDEN:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def same(given: Rows, expected: Rows, *, ordered: bool) -> bool:
    """Whether two results are the same: columns in any order, rows too unless `ordered`."""
    if len(given) != len(expected):
        return False
    if not expected:
        return True
    width = len(expected[0])
    if len(given[0]) != width:
        return False
    wanted = [tuple(map(plain, row)) for row in expected]
    got = [tuple(map(plain, row)) for row in given]
    orders = permutations(range(width)) if width <= COLUMNS else [tuple(range(width))]
    return any(alike(pick(got, order), wanted, ordered=ordered) for order in orders)


def alike(
    given: Sequence[tuple[object, ...]], wanted: Sequence[tuple[object, ...]], *, ordered: bool
) -> bool:
    return list(given) == list(wanted) if ordered else Counter(given) == Counter(wanted)


def pick(rows: Rows, order: Sequence[int]) -> Rows:
    return [tuple(row[index] for index in order) for row in rows]


def plain(value: object) -> object:
    """A value fit to be compared: numbers rounded, so that sums in another order are alike."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(f"{value:.9g}")
    return value
