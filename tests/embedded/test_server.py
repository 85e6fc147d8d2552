"""The embedded model as its user sees it: it answers, it ends, and it says what is wrong."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
from support.proxy import RunningProxy

from acr.embedded import EmbeddedServer, launch, server, store
from acr.embedded.catalogue import Model
from acr.errors import ModelError

QUESTION = [{"role": "user", "content": "Say hello to a friend, in one sentence."}]


@pytest.fixture(scope="module")
def running(small: Model) -> Iterator[EmbeddedServer]:
    with launch(small, slots=2, context=1024) as made:
        yield made


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def gone(pid: int, patience: float = 20.0) -> bool:
    """Whether a process ended, or ends soon. One that nobody has waited for yet counts as ended."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
            os.kill(pid, 0)
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.model
@pytest.mark.timeout(600)
class TestRunning:
    def test_the_openai_client_gets_an_answer(self, running: EmbeddedServer) -> None:
        with openai.OpenAI(base_url=running.url, api_key="unused") as client:
            answer = client.chat.completions.create(
                model=running.model.name, messages=QUESTION, max_tokens=16, temperature=0
            )
        assert len((answer.choices[0].message.content or "").split()) > 2
        assert answer.usage is not None and answer.usage.completion_tokens > 0

    def test_a_signal_to_the_parents_group_does_not_reach_it(self, running: EmbeddedServer) -> None:
        """`timeout`, a terminal and service managers end the group: running answers shall end first."""
        assert os.getpgid(running.process.pid) != os.getpgid(0)

    def test_models_are_listed_by_their_name(self, running: EmbeddedServer) -> None:
        with openai.OpenAI(base_url=running.url, api_key="unused") as client:
            assert [model.id for model in client.models.list()] == ["smollm2-135m-instruct"]

    def test_through_the_proxy_whole_and_streamed(self, running: EmbeddedServer) -> None:
        asked = {
            "model": running.model.name,
            "messages": QUESTION,
            "max_tokens": 16,
            "temperature": 0,
            "seed": 1,
        }
        with (
            RunningProxy(running.url) as proxy,
            openai.OpenAI(base_url=proxy.url, api_key="unused") as client,
        ):
            whole = client.chat.completions.create(**asked)
            stream = client.chat.completions.create(
                **asked, stream=True, stream_options={"include_usage": True}
            )
            chunks = list(stream)
            assert [model.id for model in client.models.list()] == ["smollm2-135m-instruct"]
        text = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
        assert len(text.split()) > 2 and text == whole.choices[0].message.content
        assert len(chunks) > 3 and chunks[-1].usage is not None

    def test_web_pages_of_others_are_not_let_in(self, running: EmbeddedServer) -> None:
        from urllib.request import Request, urlopen

        request = Request(f"{running.address}/v1/models", headers={"origin": "http://evil.example"})
        with urlopen(request, timeout=30) as answer:
            assert answer.headers["access-control-allow-origin"] != "http://evil.example"
            assert answer.headers["access-control-allow-origin"] != "*"


@pytest.mark.model
@pytest.mark.timeout(600)
class TestEnding:
    def test_leaving_the_block_ends_the_child(self, small: Model) -> None:
        with launch(small, slots=1, context=256) as made:
            assert made.alive()
            pid = made.process.pid
        assert gone(pid, 0.1)

    def test_the_child_does_not_outlive_a_killed_parent(self, small: Model) -> None:
        code = (
            "import time, sys; from acr.embedded import find, launch\n"
            f"s = launch(find({small.name!r}), slots=1, context=256)\n"
            "print(s.process.pid, flush=True); time.sleep(1000)"
        )
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
            assert parent.stdout is not None
            pid = int(parent.stdout.readline())
            assert not gone(pid, 0.2)
            parent.kill()
            parent.wait()
            assert gone(pid)

    def test_a_killed_child_is_told_with_what_to_do(self, small: Model) -> None:
        told: list[ModelError] = []
        heard = threading.Event()
        with launch(small, slots=1, context=256) as made:
            made.on_death(lambda error: (told.append(error), heard.set()))
            made.process.send_signal(signal.SIGKILL)
            assert heard.wait(20)
        assert "was killed, as the system does when memory runs out: take a smaller model" in str(told[0])

    def test_a_child_that_was_stopped_is_no_death(self, small: Model) -> None:
        told: list[ModelError] = []
        with launch(small, slots=1, context=256) as made:
            made.on_death(told.append)
        time.sleep(0.3)
        assert told == []


@pytest.mark.model
@pytest.mark.timeout(600)
class TestRefusing:
    def test_a_truncated_file(self, small_copy: Path, small: Model) -> None:
        os.truncate(small_copy, small_copy.stat().st_size // 2)
        with pytest.raises(ModelError, match=r"is damaged .*acr model pull smollm2-135m-instruct"):
            launch(small)

    def test_a_file_that_the_runtime_cannot_read(self, small_copy: Path, small: Model) -> None:
        with small_copy.open("r+b") as file:
            file.seek(8)
            file.write(b"\xff" * 4096)
        store.note(small, small_copy)  # as if it had been damaged after it was verified
        with pytest.raises(ModelError, match=r"file seems damaged: run 'acr model pull"):
            launch(small, slots=1, context=256)

    def test_a_port_in_use(self, small: Model) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(ModelError, match=f"port {port} for the embedded model is in use"):
                launch(small, port=port)

    def test_a_chosen_port_is_taken(self, small: Model) -> None:
        port = free_port()
        with launch(small, port=port, slots=1, context=256) as made:
            assert made.address == f"http://127.0.0.1:{port}"

    def test_more_memory_than_there_is(self, small: Model) -> None:
        with pytest.raises(ModelError, match=r"needs [\d.]+ GB of memory, [\d.]+ GB are free"):
            launch(small, slots=100_000)


@pytest.fixture
def small_copy(small: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small model's file in a cache of its own, to be damaged."""
    source = store.path(small)
    monkeypatch.setenv("ACR_CACHE", str(tmp_path))
    target = store.path(small)
    target.parent.mkdir(parents=True)
    shutil.copy(source, target)
    return target


def test_a_missing_runtime_names_the_extra(tiny: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"pip install 'adaptive-context-refactoring\[local\]'"):
        launch(tiny)


def test_a_missing_file_names_the_command(cache: Path, tiny: Model) -> None:
    with pytest.raises(ModelError, match="run 'acr model pull tiny'"):
        launch(tiny)


@pytest.mark.parametrize(
    ("code", "log", "said"),
    [
        (-signal.SIGILL, "", "this processor lacks an instruction"),
        (-signal.SIGSEGV, "", "died of SIGSEGV"),
        (-signal.SIGKILL, "", "when memory runs out"),
        (3, "0.00 E srv init: something odd\n", "ended with code 3: 0.00 E srv init: something odd"),
        (1, "E ggml_aligned_malloc: insufficient memory (attempted to allocate 4 MB)", "memory ran out"),
    ],
)
def test_deaths_are_named(tiny: Model, tmp_path: Path, code: int, log: str, said: str) -> None:
    (tmp_path / "log").write_text(log)
    error = server.diagnose(tiny, code, tmp_path / "log")
    assert said in str(error) and str(tmp_path / "log") in str(error)


def test_only_the_newest_logs_are_kept(cache: Path, tiny: Model) -> None:
    for age in range(20):
        log = server.new_log(tiny)
        log.write_text(str(age))
        os.utime(log, (age, age))
    kept = {path.read_text() for path in (cache / "logs").iterdir()}
    assert kept == {str(age) for age in range(10, 20)}


def test_threads_are_those_of_this_process() -> None:
    assert 1 <= server.cores() <= 8
