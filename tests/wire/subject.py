"""What is put to the test: a really started `acr serve`, and where its outside can be looked at."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from support.http import Answer, send

LISTENING = "0A"
"""State of a socket that listens, in /proc/net/tcp."""
_ready = re.compile(r"http://127\.0\.0\.1:(\d+)/v1")


class Subject(Protocol):
    """A proxy in front of one upstream."""

    port: int

    def log(self) -> str: ...

    def trace(self, answer: Answer) -> dict[str, Any] | None: ...

    def open_calls(self) -> int: ...

    def stored(self) -> str: ...

    def peers(self) -> list[str]: ...

    def estimate(self, body: bytes) -> int: ...

    def stop(self) -> None: ...


class AcrServe:
    """`acr serve` as a process, with text kept in traces and everything logged."""

    def __init__(self, upstream: str, intervene: str, env: Mapping[str, str]) -> None:
        settings = {
            "ACR_UPSTREAM": upstream,
            "ACR_KEEP_TEXT": "true",
            "ACR_LOG_LEVEL": "debug",
            "ACR_MODE": "off" if intervene == "none" else "auto",
            "ACR_CONTROLLER": "rules" if intervene in ("none", "any") else f"always:{intervene}",
        }
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ACR_", "OPENAI_", "ANTHROPIC_"))}
        self._folder = tempfile.TemporaryDirectory(prefix="acr-wire-")
        self._log = Path(self._folder.name, "log")
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [acr(), "serve", "--port", "0"],
                env=clean | settings | dict(env),
                cwd=self._folder.name,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self.port = self._wait()
        except BaseException:
            self.stop()
            raise

    def _wait(self) -> int:
        end = time.monotonic() + 110
        while time.monotonic() < end:
            found = _ready.search(self.log().partition("ACR is ready at")[2])
            if found:
                return int(found[1])
            assert self._process.poll() is None, f"acr serve ended:\n{self.log()}"
            time.sleep(0.05)
        raise AssertionError(f"acr serve was not ready in time:\n{self.log()}")

    def log(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def trace(self, answer: Answer) -> dict[str, Any] | None:
        """The trace of a request, which is there soon after its last byte; None if none is named."""
        id = answer.header("x-acr-trace")
        end = time.monotonic() + 5
        while id is not None and time.monotonic() < end:
            found = send(self.port, "GET", f"/v1/acr/decisions/{id}")
            if found.status == 200:
                trace: dict[str, Any] = json.loads(found.body)
                return trace
            time.sleep(0.02)
        return None

    def open_calls(self) -> int:
        """Calls to the upstream that are under way, given a moment to settle."""
        calls = -1
        for _ in range(100):
            calls = json.loads(send(self.port, "GET", "/v1/acr/status").body)["open_upstream_calls"]
            if calls == 0:
                break
            time.sleep(0.02)
        return calls

    def stored(self) -> str:
        return send(self.port, "GET", "/v1/acr/decisions?limit=1000").body.decode()

    def peers(self) -> list[str]:
        """Addresses, other than this machine's own, that the process has connections to."""
        remotes = [fields[2].split(":")[0] for fields in self._connections()]
        away = [remote for remote in remotes if remote not in ("0100007F", "00000000")]
        return [".".join(str(part) for part in reversed(bytes.fromhex(remote))) for remote in away]

    def _connections(self) -> list[list[str]]:
        """Rows of the kernel's table of TCP connections that are the process's own, as fields."""
        inodes = set()
        for entry in Path(f"/proc/{self._process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed in the meantime
                link = entry.readlink().name if entry.is_symlink() else ""
                if link.startswith("socket:["):
                    inodes.add(link[8:-1])
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return [fields for fields in rows if fields[9] in inodes]

    def left(self) -> dict[str, int]:
        """Requests and calls under way, and sockets beyond those it listens on."""
        connected = [fields for fields in self._connections() if fields[3] != LISTENING]
        status = json.loads(send(self.port, "GET", "/v1/acr/status", headers=[("connection", "close")]).body)
        return {
            "requests": status["open_requests"],
            "calls": status["open_upstream_calls"],
            "sockets": len(connected),
        }

    def memory(self) -> int:
        """Resident memory in bytes."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024

    def estimate(self, body: bytes) -> int:
        """What `acr tokens` makes of a request body."""
        file = Path(self._folder.name, "body.json")
        file.write_bytes(body)
        done = subprocess.run([acr(), "tokens", str(file), "--json"], capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        return int(json.loads(done.stdout)["tokens"])

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._folder.cleanup()


def acr() -> str:
    return str(Path(sys.executable).with_name("acr"))
