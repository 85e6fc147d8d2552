"""`acr traces` on a store that was written to, and what it writes read by the commands that say they read it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'store' is not installed")
pytest.importorskip("alembic", reason="the extra 'store' is not installed")

from acr_training.states import of_traces

from acr.errors import ConfigError, StoreError, TrainingError
from acr.trace import Trace
from acr.tracestore import redactor, stored
from acr.tracestore.database import Database

MESSAGES = [
    {"role": "user", "content": "How many shells did Leigh find?"},
    {"role": "assistant", "content": "Say Kyle has 30 shells, so Leigh has 10."},
    {"role": "user", "content": "Mimi found 24. \x1b[31m"},
]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    address = f"sqlite:///{tmp_path}/traces.db"
    monkeypatch.setenv("ACR_STORE", address)
    database = Database(address)
    database.migrate()
    old = datetime.now(UTC) - timedelta(days=10)
    traces = [
        Trace(id="old", time=old, dialect="chat", model="m", decision="none", messages=MESSAGES),
        Trace(
            id="bare",
            dialect="chat",
            model="m",
            decision="intervened",
            operator="recap",
            tokens_before=1200,
            tokens_after=900,
        ),
        Trace(id="new", dialect="chat", model="m\x1b[31m", decision="none", messages=MESSAGES),
    ]
    database.write([stored(trace, redactor(["none"])) for trace in traces])
    database.close()
    yield address


def ran(acr: Any, *arguments: str) -> str:
    result = acr("traces", *arguments)
    assert result.exit_code == 0, result.output or result.exception
    return str(result.stdout)


def ids(text: str) -> list[str]:
    return [json.loads(line)["id"] for line in text.splitlines()]


def test_the_list(acr: Any, store: str) -> None:
    assert ids(ran(acr, "list", "--json")) == ["new", "bare", "old"]
    assert ids(ran(acr, "list", "--json", "--limit", "1")) == ["new"]
    assert ids(ran(acr, "list", "--json", "--since", "2d")) == ["new", "bare"]
    assert ids(ran(acr, "list", "--json", "--before", "2d")) == ["old"]
    assert ids(ran(acr, "list", "--json", "--decision", "intervened")) == ["bare"]
    assert ids(ran(acr, "list", "--json", "--operator", "prune")) == []
    assert all("messages" not in json.loads(line) for line in ran(acr, "list", "--json").splitlines())
    shown = ran(acr, "list")
    assert "recap" in shown and "1,200 → 900" in shown and "\x1b" not in shown
    assert "No traces" in ran(acr, "list", "--operator", "prune")


def test_an_id_is_never_cut(acr: Any, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    id = "chatcmpl-" + "7f3a" * 9
    database = Database(store)
    trace = Trace(id=id, dialect="chat", model="a-model-with-quite-a-long-name", decision="intervened")
    database.write([stored(trace, redactor(["none"]))])
    database.close()
    lines = ran(acr, "list").splitlines()
    assert len(lines) == 5 and lines[0].split()[1] == "id"
    assert lines[1].split()[2] == id


def test_one_of_them(acr: Any, store: str) -> None:
    assert json.loads(ran(acr, "show", "new", "--json"))["messages"] == MESSAGES
    shown = ran(acr, "show", "new")
    assert json.loads(shown)["messages"] == MESSAGES and "\x1b" not in shown
    result = acr("traces", "show", "nope")
    assert isinstance(result.exception, ConfigError) and "no trace 'nope'" in str(result.exception)


def test_what_is_exported_can_be_replayed_and_trained_on(acr: Any, store: str, tmp_path: Path) -> None:
    out = tmp_path / "traces.jsonl"
    result = acr("traces", "export", "--out", str(out))
    assert result.exit_code == 0 and "2 traces written; 1 without text" in result.stderr
    assert ids(out.read_text()) == ["old", "new"]
    states = of_traces(out)
    assert [one.source for one in states] == ["traces"]
    replayed = acr("replay", str(out), "--json", "--controller", "always:snowball")
    assert [json.loads(line)["totals"]["intervened"] for line in replayed.stdout.splitlines()] == [1, 1]


def test_all_of_them_can_be_exported(acr: Any, store: str) -> None:
    assert ids(ran(acr, "export", "--all")) == ["old", "bare", "new"]
    assert ids(ran(acr, "export", "--since", "2d")) == ["new"]


def test_traces_without_text_train_nothing(acr: Any, store: str, tmp_path: Path) -> None:
    out = tmp_path / "traces.jsonl"
    ran(acr, "export", "--all", "--decision", "intervened", "--out", str(out))
    with pytest.raises(TrainingError, match="keep_text"):
        of_traces(out)


def test_what_is_purged_is_gone(acr: Any, store: str) -> None:
    assert json.loads(ran(acr, "purge", "--before", "2d", "--yes", "--json")) == {
        "deleted": 1,
        "text_only": False,
    }
    assert ids(ran(acr, "list", "--json")) == ["new", "bare"]
    assert json.loads(ran(acr, "purge", "--text", "--all", "--yes", "--json"))["deleted"] == 1
    assert "messages" not in json.loads(ran(acr, "show", "new", "--json"))
    assert "2 traces deleted" in ran(acr, "purge", "--all", "--yes")
    assert ran(acr, "list", "--json") == ""


def test_nothing_is_purged_by_chance(acr: Any, store: str) -> None:
    assert isinstance(acr("traces", "purge", "--yes").exception, ConfigError)
    assert str(acr("traces", "purge", "--text", "--yes").exception).endswith("or --all: with --text, too")
    assert acr("traces", "purge", "--all", given="n\n").exit_code == 1
    assert len(ids(ran(acr, "list", "--json"))) == 3
    assert acr("traces", "purge", "--all", given="y\n").exit_code == 0
    assert ran(acr, "list", "--json") == ""


def test_what_cannot_be_done_is_told(acr: Any, tmp_path: Path) -> None:
    missing = acr("traces", "list").exception
    assert isinstance(missing, ConfigError) and "ACR_STORE" in str(missing)
    none = acr("traces", "list", "--store", f"sqlite:///{tmp_path}/none.db").exception
    assert isinstance(none, ConfigError) and not (tmp_path / "none.db").exists()
    gone = acr("traces", "list", "--store", "postgresql://ana:p4ssw0rd@127.0.0.1:9/x").exception
    assert isinstance(gone, StoreError) and "p4ssw0rd" not in str(gone)
    text = tmp_path / "text.db"
    text.write_text("no database" * 1000)
    assert isinstance(acr("traces", "list", "--store", f"sqlite:///{text}").exception, StoreError)


@pytest.mark.parametrize("time", ["yesterday", "7x", "2026-13-01", ""])
def test_a_time_that_is_none_is_told(acr: Any, store: str, time: str) -> None:
    assert isinstance(acr("traces", "list", "--since", time).exception, ConfigError)


def test_a_new_store_is_prepared(acr: Any, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/new.db"
    assert "up to date" in ran(acr, "migrate", "--store", address)
    assert ran(acr, "list", "--store", address, "--json") == ""
