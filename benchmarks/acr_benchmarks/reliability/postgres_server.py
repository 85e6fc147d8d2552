"""A real PostgreSQL on this machine that can be killed, paused, filled up and brought back."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from acr.errors import BenchmarkError
from acr_benchmarks.overhead.running import free_port

PATIENCE = 60.0
"""Seconds that a server on a loaded machine may take to answer."""
OWNER = "postgres"
"""Who runs it where this is root: PostgreSQL refuses to be root's. Debian's package makes that user."""
LARGEST = 18 * 1024 * 1024
"""Bytes that a file of a full one may have: a segment of its log is 16 MiB."""


def installed() -> bool:
    """Whether there is a PostgreSQL to start (Debian: `apt install postgresql`)."""
    return _program("initdb") is not None


def _program(name: str) -> str | None:
    found = shutil.which(name)
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return found or (str(debian[-1]) if debian else None)


class PostgresServer:
    """A context manager. Keeps its data when killed. Bound to loopback, without a password."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._user = OWNER if os.geteuid() == 0 else None

    @property
    def url(self) -> str:
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> "PostgresServer":
        self._folder = tempfile.TemporaryDirectory(prefix="acr-postgres-")
        if self._user is not None:
            owner = pwd.getpwnam(self._user)
            os.chown(self._folder.name, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "--pgdata", self._data, "--username", OWNER, "--auth", "trust", "--no-sync")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def _data(self) -> str:
        assert self._folder is not None
        return f"{self._folder.name}/data"

    def start(self, *, largest: int | None = None) -> None:
        """Start it and wait until it answers, with files of `largest` bytes at most.

        It ends at once while a last child of a killed one still holds its memory; then it is started again.
        Raises `BenchmarkError` if it does not answer within `PATIENCE`.
        """
        program = _program("postgres")
        if program is None:
            raise BenchmarkError("there is no PostgreSQL: apt install postgresql")
        options = [f"-p{self.port}", "-h127.0.0.1", f"-k{self._data}", "-cshared_buffers=16MB"]
        limit = [] if largest is None else ["prlimit", f"--fsize={largest}"]
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._process is None or self._process.poll() is not None:
                self._process = self._launch([*limit, program, "-D", self._data, *options])
            if self._answers():
                return
            time.sleep(0.1)
        raise BenchmarkError("PostgreSQL did not answer")

    def _launch(self, command: list[str]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=self._user, cwd="/"
        )

    def kill(self) -> None:
        """SIGKILL to it and its children: nothing is said to clients; data stay as a crash leaves them."""
        if self._process is None:
            return
        for pid in [*self._children(), self._process.pid]:
            _signal(pid, signal.SIGKILL)
        self._process.wait(PATIENCE)
        self._process = None

    def pause(self) -> None:
        """SIGSTOP to all of it: the kernel still takes connections and bytes, nothing is answered."""
        assert self._process is not None
        for pid in [self._process.pid, *self._children()]:
            _signal(pid, signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        for pid in [*self._children(), self._process.pid]:
            _signal(pid, signal.SIGCONT)

    def fill(self) -> None:
        """Start it anew so that no file may grow beyond `LARGEST`, and fill one up to that.

        The kernel then refuses it the next page of that table, as on a full disk.
        """
        self.kill()
        self.start(largest=LARGEST)
        filler = (
            "insert into acr_traces (uid, id, time, decision, size, brief) "
            "select 'filler' || n, 'filler', 0, '', 0, repeat('x', 1000) "
            "from generate_series({0}, {1} - 1) n"
        )
        first = 0
        for count in (1000, 100, 10):
            while first < 100_000 and self.sql(filler.format(first, first + count)):
                first += count
        if first >= 100_000:
            raise BenchmarkError("PostgreSQL could not be filled up")

    def empty(self) -> None:
        """Take the limit and the filler away."""
        self.kill()
        self.start()
        self.sql("delete from acr_traces where id = 'filler'")

    def sql(self, statement: str) -> bool:
        """Whether the statement was carried out."""
        program = _program("psql")
        assert program is not None
        done = subprocess.run(
            [program, self.url, "-qAtc", statement], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return done.returncode == 0

    def _answers(self) -> bool:
        return self.sql("select 1")

    def _children(self) -> list[int]:
        assert self._process is not None
        try:
            listed = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        except OSError:
            return []
        return [int(pid) for pid in listed.split()]

    def _run(self, name: str, *arguments: str) -> None:
        program = _program(name)
        if program is None:
            raise BenchmarkError("there is no PostgreSQL: apt install postgresql")
        subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL, user=self._user, cwd="/")


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
