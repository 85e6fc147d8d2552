"""Traces of a proxy in SQLite and PostgreSQL, while the store works and while it does not."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks.reliability.postgres_server import PostgresServer
from support.http import Answer, send
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream, completion

from acr.errors import ConfigError, StoreError
from acr.proxy.app import create_app
from acr.settings import Settings
from acr.trace import Trace
from acr.tracestore import writer
from acr.tracestore.database import Database, Which

CHAT = "/v1/chat/completions"


def echo(request: Received) -> Reply:
    """The last message again: each client knows its own answer."""
    if not request.body:
        return Reply.of_json({"object": "list", "data": []})
    return Reply.of_json(completion(f"echo {request.json['messages'][-1]['content']}"))


@pytest.fixture
def server() -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream(echo) as running:
        yield running


def ask(proxy: RunningProxy, text: str, id: str = "") -> Answer:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()
    headers = [("content-type", "application/json"), *([("x-request-id", id)] if id else [])]
    answer = send(proxy.port, "POST", CHAT, body, headers)
    assert answer.status == 200, answer.body
    assert json.loads(answer.body)["choices"][0]["message"]["content"] == f"echo {text}"
    return answer


def load(proxy: RunningProxy, count: int, more: str = "") -> float:
    """Ask so many times, eight at once; all answers are right. The longest, in seconds."""

    def one(number: int) -> float:
        begun = time.monotonic()
        ask(proxy, f"What is {number}?{more}")
        return time.monotonic() - begun

    with ThreadPoolExecutor(8) as pool:
        return max(pool.map(one, range(count)))


def until(check: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def told(proxy: RunningProxy) -> str | None:
    """What /readyz says of the traces; it is ready whatever that is."""
    ready = send(proxy.port, "GET", "/readyz")
    assert ready.status == 200
    found: str | None = json.loads(ready.body).get("degraded", {}).get("traces")
    return found


def metric(proxy: RunningProxy, name: str) -> float:
    """The sum over a metric's series that begin so."""
    lines = send(proxy.port, "GET", "/metrics").body.decode().splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name))


def count(address: str) -> int:
    with closing(Database(address)) as database:
        return database.count(Which())


def get(address: str, id: str) -> Trace | None:
    with closing(Database(address)) as database:
        return database.get(id)


def migrate(address: str) -> None:
    with closing(Database(address)) as database:
        database.migrate()


def of(proxy: RunningProxy, path: str) -> Any:
    return json.loads(send(proxy.port, "GET", path).body)


def test_traces_outlive_the_proxy_and_are_found_by_another(server: ScriptedUpstream, sqlite: str) -> None:
    with (
        RunningProxy(server.url, store=sqlite, keep_text=True) as first,
        RunningProxy(server.url, store=sqlite) as second,
    ):
        ask(first, "Who is ana@mail.example?", "mine")
        ask(second, "hello", "yours")
        until(lambda: count(sqlite) == 2)
        found = of(second, "/v1/acr/decisions/mine")
        assert found["messages"] == [{"role": "user", "content": "Who is [e-mail]?"}]
        assert of(first, "/v1/acr/decisions/mine")["messages"][0]["content"] == "Who is ana@mail.example?"
        rows = of(second, "/v1/acr/decisions?brief=true")["data"]
        assert [row["id"] for row in rows] == ["yours", "mine"] and "messages" not in rows[1]
        assert of(second, "/v1/acr/decisions/mine/turns")["data"][0]["text"] == "Who is [e-mail]?"
        assert of(second, "/v1/acr/status")["store"] == "sqlite"
        assert send(second.port, "GET", "/v1/acr/decisions/nope").status == 404
        assert told(first) is None and metric(first, "acr_trace_store_up") == 1
        assert metric(first, 'acr_trace_writes_total{result="kept",store="sqlite"}') == 1
    with RunningProxy(server.url, store=sqlite) as third:
        assert of(third, "/v1/acr/decisions/yours")["id"] == "yours"
    assert b"ana@" not in Path(sqlite.removeprefix("sqlite:///")).read_bytes()


def test_without_keep_text_no_text_is_stored(server: ScriptedUpstream, sqlite: str) -> None:
    with RunningProxy(server.url, store=sqlite) as proxy:
        ask(proxy, "a purple elephant")
    folder = Path(sqlite.removeprefix("sqlite:///")).parent
    assert count(sqlite) == 1
    assert all(b"elephant" not in file.read_bytes() for file in folder.iterdir())


def test_what_waits_is_written_when_the_proxy_stops(server: ScriptedUpstream, sqlite: str) -> None:
    with RunningProxy(server.url, store=sqlite) as proxy:
        load(proxy, 50)
    assert count(sqlite) == 50


def test_a_failing_hook_costs_the_text_and_nothing_else(
    server: ScriptedUpstream, sqlite: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "hook_that_fails.py").write_text("def f(text):\n    raise RuntimeError(text)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = {"store": sqlite, "keep_text": True, "store_redact": "secrets,hook_that_fails:f"}
    with RunningProxy(server.url, **settings) as proxy:
        ask(proxy, "a purple elephant", "mine")
        until(lambda: metric(proxy, 'acr_trace_writes_total{result="without_text"') == 1)
    found = get(sqlite, "mine")
    assert found is not None and found.messages is None


def test_sqlite_locked_by_somebody_holds_up_nobody(server: ScriptedUpstream, sqlite: str) -> None:
    with RunningProxy(server.url, store=sqlite) as proxy:
        ask(proxy, "warm")
        holder = sqlite3.connect(sqlite.removeprefix("sqlite:///"), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        assert load(proxy, 80) < 4
        until(lambda: "has not answered" in (told(proxy) or ""))
        until(lambda: "OperationalError" in (told(proxy) or ""))
        assert metric(proxy, "acr_trace_store_up") == 0
        holder.execute("COMMIT")
        holder.close()
        until(lambda: told(proxy) is None and count(sqlite) == 81)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk(server: ScriptedUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "QUEUE", 20)
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk], capture_output=True
    ).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    try:
        store = f"sqlite:///{disk}/traces.db"
        with RunningProxy(server.url, store=store, keep_text=True, store_redact="none") as proxy:
            ask(proxy, "first", "first")
            until(lambda: metric(proxy, "acr_trace_writes_total") == 1)
            filler = disk / "filler"
            with pytest.raises(OSError, match="No space"), filler.open("wb") as file:
                while True:
                    file.write(b"x" * 4096)
                    file.flush()
            load(proxy, 120, " word" * 1000)  # the log has room from before, but not for these
            until(lambda: "OperationalError" in (told(proxy) or ""))
            assert metric(proxy, 'acr_trace_writes_total{result="dropped"') > 0
            assert of(proxy, "/v1/acr/decisions/first")["id"] == "first"
            filler.unlink()
            until(lambda: told(proxy) is None and metric(proxy, "acr_traces_waiting") == 0)
            ask(proxy, "last", "last")
            until(lambda: get(store, "last") is not None)
    finally:
        subprocess.run(["umount", disk], check=True)


def test_the_bound_on_size_is_kept_under_load(server: ScriptedUpstream, sqlite: str) -> None:
    with RunningProxy(server.url, store=sqlite, store_mb=1, keep_text=True, store_redact="none") as proxy:
        body = {"model": "m", "messages": [{"role": "user", "content": "a word " * 500}]}
        for _ in range(160):
            assert send(proxy.port, "POST", CHAT, json.dumps(body).encode()).status == 200
        until(
            lambda: metric(proxy, "acr_traces_deleted_total") > 0 and metric(proxy, "acr_traces_waiting") == 0
        )
        time.sleep(0.5)
    path = Path(sqlite.removeprefix("sqlite:///"))
    database = Database(sqlite)
    assert 10 < database.count(Which()) < 140
    assert database.size() <= 1 << 20
    assert path.stat().st_size < 3 << 20


def test_postgresql_killed_paused_and_brought_back(
    server: ScriptedUpstream, postgres: PostgresServer
) -> None:
    with RunningProxy(server.url, store=postgres.url) as proxy:
        load(proxy, 20)
        until(lambda: "run `acr traces migrate`" in (told(proxy) or ""))
        migrate(postgres.url)
        until(lambda: told(proxy) is None and count(postgres.url) == 20)

        postgres.pause()
        try:
            assert load(proxy, 80) < 4
            until(lambda: "has not answered" in (told(proxy) or ""))
            begun = time.monotonic()
            assert send(proxy.port, "GET", "/v1/acr/decisions/nope").status == 404
            assert len(of(proxy, "/v1/acr/decisions")["data"]) == 20
            assert time.monotonic() - begun < 5
        finally:
            postgres.resume()
        until(lambda: told(proxy) is None and count(postgres.url) == 100)

        postgres.kill()
        assert load(proxy, 80) < 4
        until(lambda: "OperationalError" in (told(proxy) or "") or "AdminShutdown" in (told(proxy) or ""))
        shown = send(proxy.port, "GET", "/metrics").body.decode() + (told(proxy) or "")
        assert str(postgres.port) not in shown
        postgres.start()
        until(lambda: told(proxy) is None and count(postgres.url) == 180)
        assert metric(proxy, 'acr_trace_writes_total{result="dropped"') == 0


def test_postgresql_full(server: ScriptedUpstream, postgres: PostgresServer) -> None:
    database = Database(postgres.url)
    database.migrate()
    with RunningProxy(server.url, store=postgres.url) as proxy:
        ask(proxy, "first")
        until(lambda: database.count(Which()) == 1)
        postgres.fill()
        load(proxy, 50)
        until(lambda: "InternalError" in (told(proxy) or "") or "DiskFull" in (told(proxy) or ""))
        postgres.empty()
        until(lambda: told(proxy) is None)
        ask(proxy, "last", "last")
        until(lambda: database.get("last") is not None)
    database.close()


def test_a_paused_store_does_not_hold_up_the_end(server: ScriptedUpstream, postgres: PostgresServer) -> None:
    migrate(postgres.url)
    program = Path(sys.executable).with_name("acr")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ACR_")}
    with subprocess.Popen(
        [program, "serve", "--port", "0", "--upstream", server.url],
        stdout=subprocess.PIPE,
        text=True,
        env=environment | {"ACR_STORE": postgres.url},
    ) as process:
        try:
            assert process.stdout is not None
            ready = next(line for line in process.stdout if "ready at" in line)
            port = int(ready.rsplit(":", 1)[1].split("/")[0])
            body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]}).encode()
            assert send(port, "POST", CHAT, body).status == 200
            postgres.pause()
            assert send(port, "POST", CHAT, body).status == 200
            begun = time.monotonic()
            process.terminate()
            assert process.wait(60) == 0
            assert time.monotonic() - begun < 20
        finally:
            postgres.resume()
            process.kill()


def test_a_full_queue_drops_and_says_so(
    server: ScriptedUpstream, sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "QUEUE", 10)
    with RunningProxy(server.url, store=sqlite) as proxy:
        ask(proxy, "warm")
        until(lambda: metric(proxy, "acr_trace_writes_total") == 1)
        holder = sqlite3.connect(sqlite.removeprefix("sqlite:///"), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        for number in range(30):
            ask(proxy, f"What is {number}?")
            time.sleep(0.01)
        until(lambda: metric(proxy, 'acr_trace_writes_total{result="dropped"') > 0)
        holder.execute("COMMIT")
        holder.close()


def test_off_is_the_default_and_sqlalchemy_is_not_imported() -> None:
    program = (
        "import sys\n"
        "from acr.proxy.app import create_app\nfrom acr.settings import Settings\n"
        "create_app(Settings(upstream='http://127.0.0.1:9/v1'))\n"
        "print([name for name in ('sqlalchemy', 'alembic', 'psycopg', 'sqlite3') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, sqlite: str) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    monkeypatch.delitem(sys.modules, "acr.tracestore.database", raising=False)
    with pytest.raises(ConfigError, match=r"\[store\]"):
        create_app(Settings.load(upstream="http://127.0.0.1:9/v1", store=sqlite))


def test_a_store_that_cannot_be_opened_is_told_before_anything_listens(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        create_app(Settings.load(upstream="http://127.0.0.1:9/v1", store=f"sqlite:///{tmp_path}/no/t.db"))


@pytest.mark.parametrize(
    "address", ["traces.db", "sqlite://traces.db", "sqlite:///", "mysql://host/x", "postgresql://"]
)
def test_an_address_of_something_else_is_told_without_showing_it(address: str) -> None:
    with pytest.raises(ConfigError, match=r"sqlite:///traces\.db") as told:
        Settings.load(upstream="http://127.0.0.1:9/v1", store=address)
    assert "mysql" not in str(told.value)
