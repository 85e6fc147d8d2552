"""A package that ACR knows nothing of is installed by pip and used through commands and proxy, offline."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from support.upstream import ScriptedUpstream

ACR = (sys.executable, "-c", "from acr.cli import main; main()")
PACKAGE = Path(__file__).with_name("stranger")
TALK = [("user", "Say a."), ("assistant", "a"), ("user", "Say b."), ("assistant", "b"), ("user", "Say c.")]
MESSAGES: list[Any] = [{"role": role, "content": text} for role, text in TALK]

pytestmark = pytest.mark.timeout(300)  # several processes, on a busy machine


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the package."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--target", str(folder), str(PACKAGE)], check=True
    )
    return folder


def environment(site: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ACR_", "OPENAI_"))}
    return {**kept, "PYTHONPATH": str(site), "NO_PROXY": "127.0.0.1"}


def acr(site: Path, *arguments: str, given: str = "") -> str:
    command = [*ACR, *arguments]
    done = subprocess.run(
        command, env=environment(site), cwd=site, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_know_it(site: Path) -> None:
    rows = {row["name"]: row for row in json.loads(acr(site, "operators", "--json"))}
    assert rows["count"]["about"] == "Tells the model how many turns the user has had."
    assert rows["count"]["configuration"] == {"word": "turn"}
    tasks = {row["task"]: row for row in json.loads(acr(site, "bench", "tasks", "--json"))}
    assert tasks["rhymes"]["items"] == 1 and tasks["rhymes"]["licence"] == "CC0-1.0"
    assert tasks["rhymes"]["error"] is None
    found = json.loads(
        acr(site, "replay", "-", "--controller", "third", "--json", given=json.dumps(MESSAGES))
    )
    assert [turn["operator"] for turn in found["turns"]] == [None, None, "count"]
    assert found["turns"][2]["reason"] == "three turns or more"


def test_its_own_tests_pass_the_conformance_suite(site: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(PACKAGE / "tests")]
    done = subprocess.run(
        [*command, f"--rootdir={PACKAGE}", "-c", os.devnull],
        env=environment(site), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 60


@pytest.fixture
def upstream() -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream() as running:
        yield running


def test_the_proxy_uses_it(site: Path, upstream: ScriptedUpstream) -> None:
    command = [*ACR, "serve", "--port", "0", "--controller", "third:recap+count"]
    with subprocess.Popen(
        [*command, "--upstream", upstream.url], env=environment(site), cwd=site, stdout=subprocess.PIPE, text=True
    ) as process:  # fmt: skip
        try:
            url = ready(process)
            upstream.answer()
            with openai.OpenAI(base_url=url, api_key="sk-FAKE", max_retries=0) as client:
                raw = client.chat.completions.with_raw_response.create(model="m", messages=MESSAGES)
        finally:
            process.terminate()
    assert raw.headers["x-acr-decision"] == "intervened"
    assert raw.headers["x-acr-operator"] == "recap+count"
    (asked,) = (request for request in upstream.received if request.method == "POST")
    sent = asked.json["messages"][-1]["content"]
    assert sent.startswith("(turn 3)\n\n<recap-") and sent.endswith("Say c.")


def ready(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    end = time.monotonic() + 120
    for line in process.stdout:
        if found := re.match(r"ACR is ready at (\S+)", line):
            return found[1]
        assert time.monotonic() < end
    raise AssertionError("the proxy ended")
