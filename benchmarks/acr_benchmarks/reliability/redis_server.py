"""A real redis-server on this machine that can be killed, paused, filled up and brought back."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from acr.errors import BenchmarkError
from acr_benchmarks.overhead.running import free_port

PATIENCE = 30.0
"""Seconds that a server on a loaded machine may take to answer."""


def installed() -> bool:
    """Whether there is a redis-server to start (Debian: `apt install redis-server`)."""
    return shutil.which("redis-server") is not None


class RedisServer:
    """A context manager. Keeps nothing: what is killed comes back empty. Bound to loopback."""

    def __init__(self, memory_mb: int = 8) -> None:
        self.memory_mb = memory_mb
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> "RedisServer":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        if self._folder is not None:
            self._folder.cleanup()

    def start(self) -> None:
        """Start it and wait until it answers. Raises `BenchmarkError` if it does not."""
        program = shutil.which("redis-server")
        if program is None:
            raise BenchmarkError("there is no redis-server: apt install redis-server")
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="acr-redis-")
        options = {
            "--port": str(self.port),
            "--bind": "127.0.0.1",
            "--save": "",
            "--appendonly": "no",
            "--dir": self._folder.name,
            "--maxmemory": f"{self.memory_mb}mb",
            "--maxmemory-policy": "noeviction",
        }
        self._process = subprocess.Popen(
            [program, *(part for pair in options.items() for part in pair)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.command("PING") == b"+PONG":
                    return
            except OSError:
                time.sleep(0.05)
        raise BenchmarkError("redis-server did not answer")

    def kill(self) -> None:
        """SIGKILL, as the kernel does where memory is short."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None

    def pause(self) -> None:
        """SIGSTOP: connections are still accepted by the kernel, and nothing is ever answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def fill(self) -> None:
        """Write until it takes no more, the last bytes too.

        What connections need counts as used, and comes and goes: so the limit is drawn in at last.
        """
        size, number = 1 << 20, 0
        while size >= 4096:
            number += 1
            if self.command("SET", f"filler:{number}", "x" * size).startswith(b"-OOM"):
                size //= 4
        self.command("CONFIG", "SET", "maxmemory", str((self.memory_mb - 1) << 20))

    def empty(self) -> None:
        """Forget everything; there is room again."""
        self.command("FLUSHALL")
        self.command("CONFIG", "SET", "maxmemory", f"{self.memory_mb}mb")

    def command(self, *parts: str) -> bytes:
        """The first line of its reply. Raises `OSError` where it does not answer."""
        encoded = [part.encode() for part in parts]
        request = b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in encoded)
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(request)
            return connection.makefile("rb").readline().rstrip()

    def _signal(self, number: int) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)
