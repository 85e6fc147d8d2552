"""Starting, stopping, several workers."""

import signal
import socket
import subprocess
import sys
import threading
import time
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
def test_several_workers_share_a_port_and_stop_together(upstream: ScriptedUpstream, tmp_path: Path) -> None:
    log, port = tmp_path / "log", unused_port()
    command = [str(Path(sys.executable).with_name("acr")), "serve", "--port", str(port), "--workers", "2"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--upstream", upstream.url], stdout=out, stderr=subprocess.STDOUT, cwd=tmp_path
        )
    children: list[str] = []
    try:
        end = time.monotonic() + 200
        while not answers(port):
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.2)
        statuses = [send(port, "POST", "/v1/chat/completions", b"{}").status for _ in range(10)]
        assert statuses == [200] * 10
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(children) >= 2
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    end = time.monotonic() + 20
    while any(map(alive, children)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(map(alive, children)) and "Traceback" not in log.read_text()


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
