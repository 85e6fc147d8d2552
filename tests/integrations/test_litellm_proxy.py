"""LiteLLM's own proxy with the config of examples/ and OpenAI's client. Skipped without `litellm[proxy]`."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from acr_benchmarks.overhead.running import free_port
from openai import OpenAI
from support.upstream import ScriptedUpstream

CONFIG = Path(__file__).parents[2] / "examples" / "litellm_proxy.yaml"
NEEDS = ("litellm", "fastapi_sso", "apscheduler", "soundfile")
KEY = "sk-5a1d0c9e7b3f"
"""LiteLLM refuses to start with keys that everybody knows."""
PATIENCE = 240.0
"""Seconds it may take to start: a minute on a busy machine."""
LOST = [
    {"role": "user", "content": "How much do I earn in a week?"},
    {"role": "assistant", "content": "You earn $400 in a week.\n\nAnswer: 400"},
    {"role": "user", "content": "I get $30 an hour and work 7 hours a day, 5 days a week."},
]

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.skipif(not all(map(find_spec, NEEDS)), reason="litellm[proxy] is not installed"),
]


@pytest.fixture(scope="module")
def upstream() -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream() as running:
        yield running


@pytest.fixture(scope="module")
def client(upstream: ScriptedUpstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenAI]:
    folder, port = tmp_path_factory.mktemp("litellm"), free_port()
    code = "from litellm.proxy.proxy_cli import run_server; run_server()"
    environment = {
        **os.environ,
        "OPENAI_BASE_URL": upstream.url,
        "OPENAI_API_KEY": "k",
        "LITELLM_MASTER_KEY": KEY,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", code, "--config", CONFIG, "--host", "127.0.0.1", "--port", str(port)],
            env=environment, cwd=folder, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        end = time.monotonic() + PATIENCE
        while not alive(port):
            assert process.poll() is None and time.monotonic() < end, (folder / "log").read_text()[-3000:]
            time.sleep(0.5)
        with OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key=KEY, max_retries=0) as made:
            yield made
    finally:
        process.kill()
        process.wait()


def alive(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=5):
            return True
    except (URLError, OSError):
        return False


@pytest.mark.parametrize("stream", [False, True])
def test_a_lost_chat_is_refactored(client: OpenAI, upstream: ScriptedUpstream, stream: bool) -> None:
    upstream.answer()
    answer = client.chat.completions.create(model="assistant", messages=LOST, stream=stream)  # type: ignore[call-overload]
    if stream:
        list(answer)
    (request,) = upstream.received
    (message,) = request.json["messages"]
    assert "How much do I earn" in message["content"] and "400" not in message["content"]


def test_several_answers_at_once_are_asked_for_as_they_are(
    client: OpenAI, upstream: ScriptedUpstream
) -> None:
    upstream.answer()
    client.chat.completions.create(model="assistant", messages=LOST, n=2)  # type: ignore[arg-type]
    assert upstream.received[0].json["messages"] == LOST
