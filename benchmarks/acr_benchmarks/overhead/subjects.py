"""What is measured: relays that stand between the same client and the same upstream."""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from acr_benchmarks.overhead.job import Talk

DIRECT, BARE, ACR = "direct", "bare", "acr"
PORT = "PORT"
"""Stands in a command for the port to listen on."""


@dataclass(frozen=True, slots=True)
class Command:
    """How to start a relay."""

    words: tuple[str, ...]
    ready: str
    """A path that is answered once the relay is up, whatever the status."""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subject:
    """One relay and how it is asked. Subjects may share a process."""

    name: str
    process: str
    talk: Talk = "plain"
    headers: Mapping[str, str] = field(default_factory=dict)
    decision: str = ""
    """What ACR must say in `x-acr-decision`: what did something else was not measured."""
    slow: bool = False
    """Takes part where a few requests a second are enough, and nowhere else."""


SUBJECTS = (
    Subject(DIRECT, ""),
    Subject(BARE, BARE),
    Subject("off", ACR, headers={"x-acr-mode": "off"}, decision="bypassed"),
    Subject("observe", ACR, talk="lost", headers={"x-acr-mode": "observe"}, decision="observed"),
    Subject("auto", ACR, decision="none"),
    Subject("intervening", ACR, talk="lost", decision="intervened"),
    Subject("litellm", "litellm", slow=True),
    Subject("optillm", "optillm", slow=True),
)


def commands(upstream: str, workers: int = 1) -> dict[str, Command]:
    """How each process is started that is installed, by its name. `upstream` without `/v1`."""
    python = sys.executable
    serve = ("-c", "from acr.cli import main; main()", "serve", "--log-level", "warning")
    found = {
        BARE: Command((python, "-m", f"{__package__}.bare", upstream, PORT), "/livez"),
        ACR: Command(
            (python, *serve, "--upstream", f"{upstream}/v1", "--port", PORT, "--workers", str(workers)),
            "/livez",
            {"ACR_KEEP_TEXT": "false"},
        ),
    }
    if program := shutil.which("litellm"):
        words = (program, "--model", "openai/scripted-21-0", "--api_base", f"{upstream}/v1", "--port", PORT)
        environment = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MASTER_KEY": "unused"}
        found["litellm"] = Command(words, "/health/liveliness", environment | {"OPENAI_API_KEY": "unused"})
    if program := shutil.which("optillm"):
        words = (program, "--approach", "none", "--base-url", f"{upstream}/v1", "--port", PORT)
        found["optillm"] = Command(words, "/health", {"OPENAI_API_KEY": "unused"})
    return found
