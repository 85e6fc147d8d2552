"""Every wire case against a really started `acr serve` and a scripted upstream on raw sockets."""

from wire.case import Case
from wire.check import failures
from wire.run import Runner


def test_case(case: Case, runner: Runner) -> None:
    found = failures(runner.run(case))
    assert not found, f"{case.id} {case.title}\n" + "\n".join(found)
