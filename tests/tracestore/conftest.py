from collections.abc import Iterator
from pathlib import Path

import pytest
from acr_benchmarks.reliability.postgres_server import PostgresServer, installed

pytest.importorskip("sqlalchemy", reason="the extra 'store' is not installed")
pytest.importorskip("alembic", reason="the extra 'store' is not installed")


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[PostgresServer]:
    """A real PostgreSQL, shared by the tests of a file."""
    if not installed():
        pytest.skip("no PostgreSQL (Debian: apt install postgresql)")
    pytest.importorskip("psycopg", reason="the extra 'store' is not installed")
    with PostgresServer() as running:
        yield running


@pytest.fixture
def postgres(postgres_server: PostgresServer) -> PostgresServer:
    """The same, running, and without tables."""
    assert postgres_server.sql("drop table if exists acr_traces, acr_schema")
    return postgres_server


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/traces.db"
