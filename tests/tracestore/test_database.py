"""The same for SQLite and PostgreSQL."""

import stat
from pathlib import Path

import pytest
import sqlalchemy as sa
from acr_benchmarks.reliability.postgres_server import PostgresServer

from acr.errors import StoreError
from acr.trace import Trace
from acr.tracestore import redactor, stored
from acr.tracestore.database import Database, Which
from acr.tracestore.form import Stored


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    given = request.getfixturevalue("sqlite" if request.param == "sqlite" else "postgres")
    made = Database(given if isinstance(given, str) else given.url)
    made.migrate()
    yield made
    made.close()


def row(id: str, text: str | None = None, **more: object) -> Stored:
    messages = [{"role": "user", "content": text}] if text is not None else None
    return stored(Trace(id=id, messages=messages, **more), redactor(["none"]))  # type: ignore[arg-type]


def test_what_is_written_is_read(database: Database) -> None:
    database.check()
    database.write([row("a", "hello"), row("b", decision="intervened", operator="recap"), row("c")])
    found = database.get("a")
    assert found is not None and found.messages == [{"role": "user", "content": "hello"}]
    assert database.get("nope") is None
    assert [one.id for one in database.newest(2)] == ["c", "b"]
    assert [one.messages for one in database.newest(9, brief=True)] == [None] * 3
    assert [one.id for one in database.each(Which())] == ["a", "b", "c"]
    assert [one.id for one in database.newest(9, Which(decision="intervened"))] == ["b"]
    assert [one.id for one in database.newest(9, Which(operator="recap"))] == ["b"]
    assert [one.id for one in database.each(Which(text=True))] == ["a"]
    assert database.count(Which()) == 3 and database.size() > 0


def test_a_batch_that_comes_twice_is_there_once(database: Database) -> None:
    rows = [row("a"), row("b")]
    database.write(rows)
    database.write([*rows, row("c")])
    assert database.count(Which()) == 3


def test_an_id_used_anew_gives_the_newest(database: Database) -> None:
    database.write([row("a", reason="old")])
    database.write([row("a", reason="new")])
    found = database.get("a")
    assert found is not None and found.reason == "new"


def test_text_alone_can_be_deleted(database: Database) -> None:
    database.write([row("a", "secret"), row("b")])
    assert database.purge(Which(text=True), text_only=True) == 1
    database.shrink()
    found = database.get("a")
    assert found is not None and found.messages is None


def test_the_old_go(database: Database) -> None:
    from datetime import UTC, datetime, timedelta

    database.write([row("old", time=datetime.now(UTC) - timedelta(days=3)), row("new")])
    assert database.retain(days=2, limit=1 << 30) == 1
    assert [one.id for one in database.newest(9)] == ["new"]


def test_the_oldest_go_where_there_is_too_much(database: Database) -> None:
    limit = 1 << 20
    for first in range(0, 200, 20):
        database.write([row(f"n{number}", "x" * 20_000) for number in range(first, first + 20)])
    assert database.size() > limit
    database.retain(days=30, limit=limit)
    left = [one.id for one in database.newest(500)]
    assert database.size() <= limit and left == [f"n{number}" for number in range(199, 199 - len(left), -1)]
    assert len(left) > 20


def test_preparing_it_again_changes_nothing(database: Database) -> None:
    database.write([row("a")])
    database.migrate()
    assert database.get("a") is not None


def test_another_versions_schema_is_left_alone(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(sa.text("update acr_schema set version_num = '9999'"))
    with pytest.raises(StoreError, match="acr traces migrate"):
        database.check()
    with pytest.raises(StoreError, match="not of this version"):
        database.migrate()


def test_sqlite_s_files_are_the_owners_alone(sqlite: str) -> None:
    database = Database(sqlite)
    database.migrate()
    database.write([row("a")])
    path = Path(sqlite.removeprefix("sqlite:///"))
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    database.close()


def test_what_is_deleted_is_gone_from_the_disk(sqlite: str) -> None:
    database = Database(sqlite)
    database.migrate()
    database.write([row("a", "the purple elephant")])
    database.purge(Which())
    database.shrink()
    database.close()
    for file in Path(sqlite.removeprefix("sqlite:///")).parent.iterdir():
        assert b"purple elephant" not in file.read_bytes()


def test_a_store_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        Database(f"sqlite:///{tmp_path}/none/traces.db").migrate()
    (tmp_path / "text.db").write_text("no database" * 1000)
    with pytest.raises(StoreError, match="not a database"):
        Database(f"sqlite:///{tmp_path}/text.db").migrate()


def test_without_tables_postgresql_says_what_to_do(postgres: PostgresServer) -> None:
    database = Database(postgres.url)
    with pytest.raises(StoreError, match="acr traces migrate"):
        database.check()
    database.close()
