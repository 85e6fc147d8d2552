"""Queries may read and nothing else; results are compared as they should be."""

import sqlite3
import time
from pathlib import Path

import pytest
from acr_benchmarks import queries
from acr_benchmarks.databases import dump
from acr_benchmarks.queries import QueryError, run, same

CLINIC = dump("clinic", 1)


def test_reading() -> None:
    assert run(CLINIC, "SELECT COUNT(*) FROM doctors") == [(25,)]
    assert run(CLINIC, "WITH d AS (SELECT id FROM doctors) SELECT MAX(id) FROM d;") == [(25,)]
    assert run(
        CLINIC, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3) SELECT x FROM c"
    ) == [
        (1,),
        (2,),
        (3,),
    ]


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM doctors",
        "UPDATE doctors SET name = 'x'",
        "INSERT INTO doctors VALUES (99, 'x', 'y')",
        "DROP TABLE doctors",
        "CREATE TABLE x (a)",
        "CREATE TEMP TABLE x (a)",
        "PRAGMA writable_schema = 1",
        "ATTACH '{folder}/evil.db' AS evil",
        "VACUUM INTO '{folder}/evil.db'",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM doctors",
        "BEGIN",
        "EXPLAIN DELETE FROM doctors",
        "SELECT random()",
        "nonsense",
        "SELECT * FROM nothing",
        "SELECT '\x00'",
        "SELECT '\ud800'",
    ],
)
def test_all_else_is_refused(query: str, tmp_path: Path) -> None:
    with pytest.raises(QueryError):
        run(CLINIC, query.format(folder=tmp_path))
    assert list(tmp_path.iterdir()) == []
    assert run(CLINIC, "SELECT COUNT(*) FROM doctors") == [(25,)]


def test_what_takes_too_long_or_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "SECONDS", 0.3)
    start = time.monotonic()
    for query in (
        "SELECT COUNT(*) FROM visits a, visits b, visits c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT MAX(x) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
        "SELECT zeroblob(1000000000)",
        "SELECT group_concat(hex(zeroblob(400000))) FROM visits",
    ):
        with pytest.raises(QueryError):
            run(CLINIC, query)
    assert time.monotonic() - start < 30


def test_order_of_rows_counts_only_where_asked_for() -> None:
    rows: list[tuple[object, ...]] = [(1, "a"), (2, "b"), (2, "b")]
    assert same(rows[::-1], rows, ordered=False)
    assert not same(rows[::-1], rows, ordered=True)
    assert not same(rows[:2], rows, ordered=False)
    assert not same([(1, "a"), (1, "a"), (2, "b")], rows, ordered=False)


def test_order_of_columns_is_free() -> None:
    assert same([("a", 1), ("b", 2)], [(1, "a"), (2, "b")], ordered=True)
    assert not same([("a", 1), (2, "b")], [(1, "a"), (2, "b")], ordered=True)
    assert not same([("a", 1, 1)], [(1, "a")], ordered=True)


def test_numbers_are_alike_text_is_exact() -> None:
    assert same([(0.1 + 0.2,)], [(0.3,)], ordered=True)
    assert same([(2,)], [(2.0,)], ordered=True)
    assert not same([("2",)], [(2,)], ordered=True)
    assert not same([("A",)], [("a",)], ordered=True)
    assert not same([(None,)], [(0,)], ordered=True)
    assert same([(None,)], [(None,)], ordered=True)
    assert same([], [], ordered=True)


def test_the_database_itself_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    assert run(before, "SELECT * FROM t") == []
    assert path.read_bytes() == before
