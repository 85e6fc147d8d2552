"""Run an embedded model in a child process and speak of what goes wrong in words that help."""

import importlib.util
import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from acr.embedded import store
from acr.embedded.catalogue import Model
from acr.errors import ModelError

START_TIMEOUT = 600.0
"""Seconds for loading: a cold disk and a busy machine take their time."""

CONTEXT = 8192
"""Tokens of context for each request."""
SLOTS = 4
"""Requests answered at once, each with `CONTEXT` tokens to itself."""

KEPT_LOGS = 10

Say = Callable[[str], None]


@dataclass
class EmbeddedServer:
    """A running model. A context manager: leaving it ends the child."""

    model: Model
    address: str
    log: Path
    process: "subprocess.Popen[bytes]" = field(repr=False)
    _ending: bool = field(default=False, repr=False)

    @property
    def url(self) -> str:
        """Base URL for OpenAI clients."""
        return f"{self.address}/v1"

    def alive(self) -> bool:
        return self.process.poll() is None

    def on_death(self, call: Callable[[ModelError], None]) -> None:
        """Have `call` called, from another thread, if the child ends without having been told to."""

        def watch() -> None:
            code = self.process.wait()
            if not self._ending:
                call(diagnose(self.model, code, self.log))

        threading.Thread(target=watch, daemon=True, name="acr-embedded-watch").start()

    def stop(self) -> None:
        """End the child; returns when it is gone."""
        self._ending = True
        end(self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def check_runtime() -> None:
    """Raise `ModelError` where the extra `local` is not installed."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(
            "the local model runtime is not installed: pip install 'adaptive-context-refactoring[local]', "
            "or name a model server you have with --upstream URL"
        )


def launch(
    model: Model,
    *,
    port: int = 0,
    slots: int = SLOTS,
    context: int = CONTEXT,
    threads: int | None = None,
    say: Say = lambda _: None,
) -> EmbeddedServer:
    """Start `model` on loopback and wait until it answers. `context` is in tokens, for each slot.

    The file must be there (`acr.embedded.pull`). Call from a thread that lives as long as the server shall:
    on Linux the child ends with the thread that started it. Raises `ModelError` saying what to do if the
    runtime or the file is missing, the file is damaged, memory or the port is taken, or the child dies.
    """
    check_runtime()
    file = store.ready(model)
    context = min(context, model.context)
    check_memory(model, slots * context)
    check_port(port)
    log = new_log(model)
    options = {
        "model": file,
        "name": model.name,
        "port": port,
        "slots": slots,
        "context": context,
        "threads": threads or cores(),
        "parent": os.getpid(),
    }
    command = [sys.executable, "-m", "acr.embedded.child"]
    command += [f"--{name}={value}" for name, value in options.items()]
    process = spawn(command, log)
    try:
        address = await_address(process, model, log, say)
        await_health(process, address, model, log)
    except BaseException:
        end(process)
        raise
    return EmbeddedServer(model, address, log, process)


def new_log(model: Model) -> Path:
    """A file for what the runtime prints; only the newest few are kept."""
    folder = store.made(store.cache() / "logs")
    older = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in older[KEPT_LOGS - 1 :]:
        file.unlink(missing_ok=True)
    return folder / f"{model.name}-{os.getpid()}-{time.time_ns()}.log"


def cores() -> int:
    """Threads worth using: the cores this process may run on, at most 8 (decoding is bound by memory)."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, min(8, len(os.sched_getaffinity(0))))
    return max(1, min(8, os.cpu_count() or 1))


def spawn(command: Sequence[str], log: Path) -> "subprocess.Popen[bytes]":
    # OpenMP's threads spin while they wait; on a busy machine that cuts decoding to a tenth.
    environment = os.environ | {"OMP_WAIT_POLICY": "passive"}
    with log.open("wb") as errors:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            start_new_session=True,  # what ends the parent's group shall not end the model under its streams
        )


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a child and let go of its pipes; one that does not listen is killed."""
    for stream in (process.stdin, process.stdout):
        if stream:
            stream.close()
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def await_address(process: "subprocess.Popen[bytes]", model: Model, log: Path, say: Say) -> str:
    """The address the child tells once the model is loaded."""
    assert process.stdout is not None
    started, spoken = time.monotonic(), 0.0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not selector.select(timeout=1):
            waited = time.monotonic() - started
            if waited > START_TIMEOUT:
                raise ModelError(f"model {model.name} was not loaded within {waited:.0f} s; its log: {log}")
            if waited - spoken >= 5:
                spoken = waited
                say(f"loading {model.name} ({waited:.0f} s)")
    line = process.stdout.readline()
    told = json.loads(line) if line else {}
    if "address" not in told:
        raise diagnose(model, process.wait(), log)
    return str(told["address"])


def await_health(process: "subprocess.Popen[bytes]", address: str, model: Model, log: Path) -> None:
    """Wait until `/health` answers 200."""
    opener = build_opener(ProxyHandler({}))  # loopback, whatever http_proxy says
    until = time.monotonic() + START_TIMEOUT
    while time.monotonic() < until:
        if process.poll() is not None:
            raise diagnose(model, process.returncode, log)
        try:
            with opener.open(f"{address}/health", timeout=10):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise ModelError(f"model {model.name} was loaded but never became ready; its log: {log}")


def check_memory(model: Model, tokens: int) -> None:
    """Raise `ModelError` if the model and its context plainly do not fit into what is free."""
    need = model.size + tokens * model.cache_bytes
    free = available_memory()
    if free is not None and need > free:
        raise ModelError(
            f"model {model.name} with {tokens} tokens of context needs {need / 1e9:.1f} GB of memory, "
            f"{free / 1e9:.1f} GB are free: close something, or take a smaller model or context"
        )


def available_memory() -> int | None:
    """Bytes that can be had without swapping; None where the system does not tell."""
    try:
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def check_port(port: int) -> None:
    """Raise `ModelError` if something else listens there."""
    if port == 0:
        return
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise taken(port) from error


def taken(port: object) -> ModelError:
    return ModelError(f"port {port} for the embedded model is in use or not allowed: take another, or 0")


def diagnose(model: Model, code: int, log: Path) -> ModelError:
    """What became of a child that ended by itself, from its exit code and its log."""
    text = log.read_text(errors="replace")[-20_000:] if log.exists() else ""
    smaller = "take a smaller model or context, or close something"
    if re.search(r"couldn't bind HTTP server socket.*port: (\d+)", text):
        found = re.search(r"port: (\d+)", text)
        return taken(found[1] if found else "?")
    if re.search(r"insufficient memory|failed to allocate|bad_alloc|out of memory|Cannot allocate", text):
        return ModelError(f"memory ran out while model {model.name} was started: {smaller}. Log: {log}")
    if re.search(r"corrupted or incomplete|error loading model|invalid magic", text):
        return ModelError(
            f"model {model.name} cannot be read, its file seems damaged: run 'acr model pull {model.name}'. "
            f"Log: {log}"
        )
    if code == -signal.SIGILL:
        return ModelError(
            "this processor lacks an instruction that the prebuilt model runtime uses: use a model server "
            f"made for it, acr serve --upstream URL. Log: {log}"
        )
    if code == -signal.SIGKILL:
        return ModelError(
            f"the process of model {model.name} was killed, as the system does when memory runs out: "
            f"{smaller}. Log: {log}"
        )
    if code < 0:
        name = signal.Signals(-code).name
        return ModelError(f"the process of model {model.name} died of {name}. Start it again; log: {log}")
    errors = [line for line in text.splitlines() if re.search(r" E |Error", line)]
    why = f": {errors[-1].strip()}" if errors else ""
    return ModelError(f"the process of model {model.name} ended with code {code}{why}. Log: {log}")
