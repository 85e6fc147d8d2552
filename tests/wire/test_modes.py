"""What is asked of a case in which mode, and that a mode can fail."""

import json
from typing import Any

import pytest
from support.http import Answer
from support.upstream import Received, ScriptedUpstream
from wire.case import Case, Request, read
from wire.modes import OFF, WRITTEN, Mode, closed, modes, table
from wire.run import Done, Pair, Result

U, A, V = (
    {"role": role, "content": text} for role, text in (("user", "a"), ("assistant", "b"), ("user", "c"))
)
TWO_TURNS = {"messages": [U, A, V]}
FORCED = Mode("recap", "recap")


def case(body: Any, intervene: str = "none", path: str = "/v1/chat/completions", **more: Any) -> Case:
    request = {"method": "POST", "path": path, "body": body, **more}
    checks = [
        {"on": "up.main.raw", "op": "same_bytes_as_client"},
        {"on": "cl.status", "op": "eq", "value": 200},
    ]
    (made,) = read(
        {"id": "X", "kind": "roles", "setup": {"intervene": intervene}, "request": request, "assert": checks}
    )
    return made


def request(body: Any, **more: Any) -> Request:
    return case(body, **more).steps[0].request


def result(made: Case, arrived: Any, decision: str) -> Result:
    received = Received("POST", "/", [], json.dumps(arrived).encode(), 1.0)
    answer = Answer(200, [("x-acr-decision", decision)])
    step = Done(0, made.steps[0].request, answer, 0.5, Pair(ScriptedUpstream(), None), [received])  # type: ignore[arg-type]
    return Result(made, [step], [], "")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (request(TWO_TURNS), False),
        (request({"messages": [U]}), True),
        (request({"messages": [U, A, V, A]}), True),
        (request({"input": "hello"}, path="/v1/responses"), True),
        (request({"input": [U, A, V]}, path="/v1/responses"), False),
        (request(TWO_TURNS, path="/v1/embeddings"), True),
        (request({"messages": [U]}, headers={"x-acr-operator": "recap"}), False),
        (request({"messages": [U], "model": "acr-m"}), False),
        (request({"messages": [U], "acr": {}}), False),
    ],
)
def test_where_nobody_may_touch_a_request(given: Request, expected: bool) -> None:
    assert closed(given) is expected


@pytest.mark.parametrize(
    ("made", "forced", "number", "expected"),
    [
        (case(TWO_TURNS), "each", 0, [WRITTEN, "prune", "recap"]),
        (case(TWO_TURNS, "recap"), "each", 0, [WRITTEN, OFF, "prune"]),
        (case({"messages": [U]}), "each", 0, [WRITTEN, "prune"]),
        (case({"messages": [U]}), "all", 0, [WRITTEN, "prune", "recap"]),
        (case(TWO_TURNS), "some", 0, [WRITTEN, "prune"]),
        (case(TWO_TURNS), "some", 3, [WRITTEN, "recap"]),
        (case(TWO_TURNS, "recap"), "some", 1, [WRITTEN, OFF]),
    ],
)
def test_operators_are_forced_where_it_was_not_written_for_them(
    made: Case, forced: str, number: int, expected: list[str]
) -> None:
    assert [mode.name for mode in modes(made, ("prune", "recap"), forced, number)] == expected


def test_forcing_goes_by_a_header_and_off_by_the_setting() -> None:
    (step,) = FORCED.of(case(TWO_TURNS)).steps
    assert step.intervene == "any" and step.request.headers[-1] == ("x-acr-controller", "always:recap")
    assert Mode(OFF).of(case(TWO_TURNS, "recap")).steps[0].intervene == "none"


def test_untouched_bytes_are_asked_for_unless_an_operator_may_act_and_did() -> None:
    made = case(TWO_TURNS)
    assert [check["op"] for check in FORCED.checks(result(made, {}, "intervened"))] == ["eq"]
    assert FORCED.checks(result(made, {}, "none")) == made.checks
    assert Mode(WRITTEN).checks(result(made, {}, "intervened")) == made.checks


def test_an_operator_that_touches_what_nobody_may_touch_is_caught() -> None:
    single = case({"messages": [U]})
    assert FORCED.touched(result(single, {"messages": [V]}, "none"))
    assert FORCED.touched(result(single, {"messages": [U]}, "intervened"))
    assert not FORCED.touched(result(single, {"messages": [U]}, "none"))
    assert not FORCED.touched(result(case(TWO_TURNS), {"messages": [V]}, "intervened"))


def test_the_table() -> None:
    lines = table({("X1", "roles"): {WRITTEN: "pass"}}, [WRITTEN, OFF])
    assert lines == ["case  kind   as written  off", "X1    roles  pass"]
