"""A process that is measured: what it takes of the machine, from /proc."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process and its children have used since they began."""

    cpu: float
    """Seconds on a processor, user and system, exact (not in ticks)."""
    switches: int
    """Context switches, both kinds."""

    def since(self, before: "Usage") -> Self:
        return type(self)(self.cpu - before.cpu, self.switches - before.switches)


class Process:
    """Starts a command and ends it with the block."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._popen = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self.stdin, self.stdout = self._popen.stdin, self._popen.stdout
        self.pid = self._popen.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self._popen.terminate()
        try:
            self._popen.wait(10)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self.stdout.close()

    @property
    def alive(self) -> bool:
        return self._popen.poll() is None

    def usage(self) -> Usage:
        cpu = switches = 0
        for pid in self.family():
            for task in (PROC / str(pid) / "task").iterdir():
                try:
                    cpu += int((task / "schedstat").read_text().split()[0])
                    switches += sum(
                        int(line.split()[1])
                        for line in (task / "status").read_text().splitlines()
                        if "ctxt_switches" in line
                    )
                except OSError:  # a thread that has ended in the meantime
                    continue
        return Usage(cpu / 1e9, switches)

    def rss(self) -> float:
        """Resident memory of all of the family, in MB (10^6 bytes)."""
        return sum(_kilobytes(pid) for pid in self.family()) * 1024 / 1e6

    def family(self) -> list[int]:
        """The process and all that come from it: workers are children."""
        found = [self.pid]
        for pid in found:
            for task in (PROC / str(pid) / "task").glob("*"):
                try:
                    found += map(int, (task / "children").read_text().split())
                except OSError:
                    continue
        return found


def _kilobytes(pid: int) -> int:
    try:
        status = (PROC / str(pid) / "status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)
