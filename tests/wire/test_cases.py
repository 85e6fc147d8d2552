"""Every wire case against a really started `acr serve` and a scripted upstream on raw sockets, in every mode."""

from wire.case import Case
from wire.check import failures
from wire.conftest import Tell
from wire.modes import Mode, intervened
from wire.run import Runner


def test_case(case: Case, mode: Mode, runner: Runner, tell: Tell) -> None:
    result = runner.run(mode.of(case))
    found = failures(result, mode.checks(result)) + mode.touched(result)
    tell("FAILED" if found else "changed" if any(map(intervened, result.steps)) else "pass")
    assert not found, f"{case.id} {case.title} ({mode.name})\n" + "\n".join(found)
