"""Does a result hold what its case asserts?"""

from collections.abc import Sequence
from typing import Any

import wire.ops_bytes
import wire.ops_messages
import wire.ops_plain
import wire.ops_text  # noqa: F401  # each enters its operations
from wire.case import CaseError, known
from wire.ops import EXTRA, verdict
from wire.run import Result
from wire.targets import find

ROOTS = ("up", "cl", "obs", "fn", "log", "store", "proxy", "net")


def failures(result: Result, checks: Sequence[dict[str, Any]] | None = None) -> list[str]:
    """A line for each assertion that does not hold, of `checks` or of all that the case has."""
    found = []
    for check in result.case.checks if checks is None else checks:
        problem = judge(result, check)
        if problem:
            found.append(f"{check['on']} {check['op']} {check.get('value', '')!r}: {problem}")
    return found


def judge(result: Result, check: dict[str, Any], base: str = "") -> str | None:
    known(check, EXTRA, f"assertion of {result.case.id}")
    on = check["on"]
    if base and on.split(".")[0].split("[")[0] not in ROOTS:
        on = f"{base}.{on}"
    if not applies(result, check.get("when")):
        return None
    if check["op"] == "any_of":
        problems = [judge(result, each, on) for each in check["value"]]
        return None if None in problems else " and ".join(map(str, problems))
    seen = find(result, on)
    if not seen:
        optional = on.startswith(("up.aux", "obs"))  # no helper call, no monitor: nothing to hold
        return None if optional else "there is nothing of that kind"
    return verdict(seen, check)


def applies(result: Result, when: str | None) -> bool:
    """Whether a condition is met. Raises `CaseError` for one that is not known."""
    if when is None:
        return True
    if when.startswith("aux was called"):
        return bool(result.aux)
    if when in ("no intervention", "no intervention was made"):
        return all(step.answer.header("x-acr-decision") != "intervened" for step in result.steps)
    if when == "intervention":
        return any(step.answer.header("x-acr-decision") == "intervened" for step in result.steps)
    raise CaseError(f"unknown condition {when!r}")
