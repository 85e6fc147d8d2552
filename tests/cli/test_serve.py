"""`acr serve` as it is typed: it starts, its snippet works as pasted, it ends and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.upstream import Received, Reply, ScriptedUpstream, completion

from acr.cli.serve import address, answers
from acr.embedded import Model
from acr.errors import ConfigError
from acr.settings import Settings

PROGRAM = Path(sys.executable).with_name("acr")


@contextmanager
def serving(*arguments: str, **environment: str) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """The running program and what it printed when it was ready."""
    with subprocess.Popen(
        [PROGRAM, "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    ) as process:
        try:
            assert process.stdout is not None
            lines: list[str] = []
            while line := process.stdout.readline():
                lines.append(line)
                if line.startswith("Stop with"):
                    break
            else:
                assert process.stderr is not None
                pytest.fail(f"it ended: {process.stderr.read()}")
            yield process, "".join(lines)
        finally:
            process.kill()


def snippet(greeting: str) -> str:
    """The Python program in a greeting."""
    found = re.search(r"pip install openai\):\n\n(.*)\n\nStop with", greeting, re.DOTALL)
    assert found is not None, greeting
    return found[1]


def pasted(greeting: str, **environment: str) -> str:
    """What the snippet prints, run as it stands."""
    found = subprocess.run(
        [sys.executable, "-c", snippet(greeting)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=400,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def model_server(request: Received) -> Reply:
    if request.target == "/v1/models":
        return Reply.of_json({"object": "list", "data": [{"id": "m1"}]})
    return Reply.of_json(completion("hello from afar"))


def test_with_an_upstream(upstream: ScriptedUpstream) -> None:
    upstream.script = model_server
    with serving("--port", "0", "--upstream", upstream.url) as (process, greeting):
        assert f"upstream: {upstream.url}   controller: rules   mode: auto" in greeting
        assert re.search(r"export OPENAI_BASE_URL=http://127.0.0.1:\d+/v1\n", greeting)
        assert pasted(greeting, OPENAI_API_KEY="sk-user") == "hello from afar\n"
        assert upstream.received[-1].json["model"] == "m1"
        assert upstream.received[-1].header("authorization") == "Bearer sk-user"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=100) in (0, 130)


def test_an_upstream_that_is_not_there_is_told_once_the_proxy_is_ready() -> None:
    with serving("--port", "0", "--upstream", "http://127.0.0.1:9/v1") as (process, greeting):
        assert "ACR is ready" in greeting and "did not answer" not in greeting
        assert process.stdout is not None
        told = next(line for line in process.stdout if line.strip())
        assert told.startswith("The upstream http://127.0.0.1:9/v1 did not answer: ")
        assert told.endswith("acr doctor --upstream http://127.0.0.1:9/v1\n")


@pytest.mark.parametrize(("status", "path"), [(200, "/v1"), (401, "/v1"), (404, "")])
def test_any_answer_of_the_upstream_will_do(upstream: ScriptedUpstream, status: int, path: str) -> None:
    upstream.script = lambda request: Reply.of_json({}, status=status)
    assert answers(upstream.url.removesuffix("/v1") + path)
    assert [request.header("authorization") for request in upstream.received] == [None]


def test_keys_are_not_printed_and_the_snippet_reads_them(upstream: ScriptedUpstream) -> None:
    upstream.script = model_server
    keys = {"ACR_API_KEY": "sk-secret-of-acr", "ACR_UPSTREAM_KEY": "sk-secret-of-upstream"}
    with serving("--port", "0", "--upstream", upstream.url, **keys) as (_, greeting):
        assert "secret" not in greeting
        assert pasted(greeting, ACR_API_KEY=keys["ACR_API_KEY"]) == "hello from afar\n"
    assert upstream.received[-1].header("authorization") == "Bearer sk-secret-of-upstream"


@pytest.mark.model
@pytest.mark.timeout(600)
def test_without_an_upstream_the_embedded_model_answers(small: Model) -> None:
    with serving("--port", "0", "--model", small.name) as (process, greeting):
        assert f"upstream: embedded model {small.name}" in greeting
        assert f'model="{small.name}"' in greeting
        assert pasted(greeting).strip()
        (child,) = children(process.pid)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=100)
        assert not Path(f"/proc/{child}").exists()


@pytest.mark.model
@pytest.mark.timeout(600)
def test_when_the_model_dies_the_proxy_says_so_and_ends(small: Model) -> None:
    with serving("--port", "0", "--model", small.name) as (process, _):
        (child,) = children(process.pid)
        os.kill(child, signal.SIGKILL)
        _, errors = process.communicate(timeout=200)
    assert process.returncode == 2
    assert "acr: the process of model smollm2-135m-instruct was killed" in errors
    assert "Traceback" not in errors


def children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def test_a_port_in_use_is_told_before_a_model_is_loaded(acr: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        error = acr("serve", "--port", str(port), "--model", "gpt-9").exception
    assert isinstance(error, ConfigError)
    assert str(error).startswith(
        f"cannot listen on 127.0.0.1:{port} (address already in use): stop what uses it"
    )


@pytest.mark.parametrize(("option", "wrong"), [("--controller", "rulez"), ("--operators", "recap,prunee")])
def test_a_misspelt_name_is_told_before_a_model_is_loaded(acr: Any, option: str, wrong: str) -> None:
    error = acr("serve", "--port", "0", "--model", "gpt-9", option, wrong).exception
    assert isinstance(error, ConfigError)
    assert f"named '{wrong.split(',')[-1]}'; known: " in str(error)
    assert "embedded" not in str(error)


@pytest.mark.parametrize(
    "wrong", ["always:recapp", "rules:recapp", "rules:20%:recapp", "always:prune+recapp"]
)
def test_a_controllers_operator_is_told_too(acr: Any, wrong: str) -> None:
    error = acr("serve", "--port", "0", "--model", "gpt-9", "--controller", wrong).exception
    assert isinstance(error, ConfigError)
    assert "no operator named 'recapp'; did you mean 'recap'? known: " in str(error)


def test_a_controllers_operator_must_be_allowed(acr: Any) -> None:
    given = ("--controller", "always:recap", "--operators", "prune")
    error = acr("serve", "--port", "0", "--model", "gpt-9", *given).exception
    assert isinstance(error, ConfigError) and str(error).endswith("'recap'; known: prune")
    error = acr("serve", "--port", "0", "--model", "gpt-9", "--operators", "prune").exception
    assert "gpt-9" in str(error)  # rules by itself: it goes on to the model


def test_an_open_bind_needs_a_key(acr: Any) -> None:
    error = acr("serve", "--host", "0.0.0.0").exception
    assert isinstance(error, ConfigError) and "ACR_API_KEY" in str(error)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("box", "box")],
)
def test_the_address_is_one_that_clients_can_use(host: str, shown: str) -> None:
    settings = Settings.load(host=host, api_key="k", upstream="http://up/v1")
    assert address(settings) == f"http://{shown}:8300"
