"""Starting, stopping, several workers."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.engines import engine
from support.http import Answer, send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream, deltas

from acr.errors import ConfigError
from acr.proxy import serve
from acr.settings import Settings


def test_running_streams_end_before_the_proxy_does(upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_events(*deltas("a", "b"), delays=[0, 0.3, 0.3, 0.3]))
    answers: list[Answer] = []
    with RunningProxy(upstream.url, engine()) as proxy:
        work = threading.Thread(
            target=lambda: answers.append(send(proxy.port, "POST", "/v1/chat/completions", b"{}"))
        )
        work.start()
        while not upstream.received:
            time.sleep(0.01)
    work.join(10)
    assert answers[0].end == "clean" and answers[0].body.endswith(b"data: [DONE]\n\n")


def test_a_stream_that_does_not_end_is_cut_in_time(upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply([b"data: 1\n\n", b""], end="hang"))
    answers: list[Answer] = []
    with RunningProxy(upstream.url, engine(), shutdown_timeout=1) as proxy:
        work = threading.Thread(
            target=lambda: answers.append(send(proxy.port, "POST", "/v1/chat/completions", b"{}"))
        )
        work.start()
        while not upstream.received:
            time.sleep(0.01)
        time.sleep(0.2)
        start = time.monotonic()
    work.join(10)
    assert time.monotonic() - start < 15 and answers[0].end == "aborted"


def test_what_is_wrong_is_told_before_anything_listens() -> None:
    with pytest.raises(ConfigError):
        serve(Settings(upstream="http://x/v1", controller="luck"))
    with pytest.raises(ConfigError):
        serve(Settings(upstream="http://x/v1", controller="luck", workers=2))


@pytest.mark.timeout(300)
def test_several_workers_share_a_port_outlive_each_other_and_stop_together(
    upstream: ScriptedUpstream, tmp_path: Path
) -> None:
    log, port = tmp_path / "log", unused_port()
    command = [str(Path(sys.executable).with_name("acr")), "serve", "--port", str(port), "--workers", "2"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--upstream", upstream.url], stdout=out, stderr=subprocess.STDOUT, cwd=tmp_path
        )
    children: list[str] = []
    try:
        first = min(workers(port, 2))
        id = send(port, "POST", "/v1/chat/completions", BODY).header("x-acr-trace")
        wait_for(lambda: send(port, "GET", f"/v1/acr/decisions/{id}").status == 200)  # by one of them

        os.kill(first, signal.SIGKILL)
        wait_for(lambda: not alive(str(first)) or zombie(first))
        statuses = [send(port, "POST", "/v1/chat/completions", b"{}").status for _ in range(10)]
        assert statuses == [200] * 10
        assert len(workers(port, 2) - {first}) == 2  # and the dead one is replaced

        upstream.answer(Reply.of_events(*deltas("a", "b"), delays=[0, 0.4, 0.4, 0.4]))
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        found: list[Answer] = []
        work = threading.Thread(
            target=lambda: found.append(send(port, "POST", "/v1/chat/completions", b"{}"))
        )
        work.start()
        wait_for(lambda: bool(upstream.received))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    work.join(10)
    assert found[0].end == "clean" and found[0].body.endswith(b"data: [DONE]\n\n")
    wait_for(lambda: not any(map(alive, children)))
    assert "Traceback" not in log.read_text()


BODY = b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'


def workers(port: int, count: int) -> set[int]:
    """Process ids of the workers that answer, once there are so many."""
    seen: set[int] = set()

    def enough() -> bool:
        if answers(port):
            seen.add(json.loads(send(port, "GET", "/v1/acr/status").body)["worker"])
        return len(seen) >= count

    wait_for(enough)
    return {pid for pid in seen if alive(str(pid)) and not zombie(pid)}


def wait_for(holds: Callable[[], bool], seconds: float = 100) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def zombie(pid: int) -> bool:
    return alive(str(pid)) and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def answers(port: int) -> bool:
    try:
        return send(port, "GET", "/livez").status == 200
    except OSError:
        return False


def alive(pid: str) -> bool:
    return Path(f"/proc/{pid}").exists()


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
