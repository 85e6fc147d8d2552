"""In which modes a case is run, and what of it is asked where an operator is forced that it was not written for.

A case is written for one mode. It is run in others too: with all operators off, and with each operator forced.
Forcing is asking, not making: the proxy may always leave a request alone, and must where nothing can be done.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wire.case import Case, Request, Step, exact
from wire.run import Done, Result

WRITTEN, OFF = "as written", "off"
UNTOUCHED = frozenset({"same_bytes_as_client", "eq_client_body"})
"""Checks that say `nothing was done`: they are for the mode of the case, or for a request nobody may touch."""
NOT_ASKED_OF = {
    ("current_value", "snowball"): "repeats all turns as they were, corrections with them",
    ("current_value", "reask"): "repeats no turn, and drops none",
    ("each_kept_message_unmodified", "rectify"): "marks what was overruled where it stands",
}
"""Checks that speak of what another operator does, by operator, with the reason."""
HISTORIES = {
    "/v1/chat/completions": "messages",
    "/v1/responses": "input",
    "/v1/messages": "messages",
    "/v1/messages/count_tokens": "messages",
}


@dataclass(frozen=True)
class Mode:
    name: str
    operator: str | None = None
    """Forced by a header of each request; None forces none."""

    def of(self, case: Case) -> Case:
        """The case in this mode."""
        if self.name == WRITTEN:
            return case
        return replace(case, steps=[self._step(step) for step in case.steps])

    def _step(self, step: Step) -> Step:
        if self.operator is None:
            return replace(step, intervene="none")
        headers = [*step.request.headers, ("x-acr-controller", f"always:{self.operator}")]
        return replace(step, intervene="any", request=replace(step.request, headers=headers))

    def checks(self, result: Result) -> list[dict[str, Any]]:
        """What of the case's checks holds in this mode for what came of it."""
        if self.operator is None or not any(map(intervened, result.steps)):
            return result.case.checks
        waived = UNTOUCHED | {op for op, operator in NOT_ASKED_OF if operator == self.operator}
        return [check for check in result.case.checks if check["op"] not in waived]

    def touched(self, result: Result) -> list[str]:
        """Requests that an operator got hold of though nobody may touch them."""
        if self.operator is None:
            return []
        return [
            f"step {step.index} must be left alone and was not"
            for step in result.steps
            if closed(step.request)
            and (intervened(step) or any(r.body != (step.request.raw or b"") for r in step.main))
        ]


def modes(case: Case, operators: Sequence[str], forced: str, number: int) -> Iterator[Mode]:
    """The modes of the case with that number in its file. `forced` says which operators:

    `some`, one a case, in turn; `each`, all where one may act, and one where none may, as there all are alike;
    `all`, all at every case.
    """
    yield Mode(WRITTEN)
    written = {step.intervene for step in case.steps}
    if written != {"none"}:
        yield Mode(OFF)
    one = forced == "some" or (forced == "each" and all(closed(step.request) for step in case.steps))
    start = number % len(operators)
    for operator in (*operators[start:], *operators[:start])[: 1 if one else None]:
        if written != {operator}:
            yield Mode(operator, operator)


def intervened(step: Done) -> bool:
    return step.answer.header("x-acr-decision") == "intervened"


def closed(request: Request) -> bool:
    """Whether no operator may touch a request: it has no second turn of the user, or the last is not the user's.

    Deliberately not the proxy's own gate, and weaker: it says yes only where there can be no two opinions.
    """
    if asks(request):
        return False
    name = HISTORIES.get(request.path.partition("?")[0].rstrip("/"))
    body = exact(request.raw) if request.method == "POST" and name and request.raw else None
    rows = body.get(name) if isinstance(body, dict) else None
    if not isinstance(rows, list):
        return True
    users = [row for row in rows if isinstance(row, dict) and row.get("role") == "user"]
    return len(users) < 2 or rows[-1] is not users[-1]


def asks(request: Request) -> bool:
    """Whether the request itself wants something of ACR, which is taken out of it."""
    body = exact(request.raw) if request.raw else None
    named = isinstance(body, dict) and ("acr" in body or str(body.get("model")).startswith("acr-"))
    return named or any(name.lower().startswith("x-acr-") for name, _ in request.headers)


def table(results: dict[tuple[str, str], dict[str, str]], columns: list[str]) -> list[str]:
    """A line for each case, `(id, kind)`, with what came of each mode."""
    rows = [["case", "kind", *columns]]
    rows += [
        [id, kind, *(found.get(column, "") for column in columns)] for (id, kind), found in results.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
