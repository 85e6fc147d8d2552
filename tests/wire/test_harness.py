"""The harness can fail: a relay with one fault is caught by a case of that kind; what is not known is an error."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from support.http import Answer
from support.upstream import Received, ScriptedUpstream
from wire import check, ops
from wire.broken import BrokenRelay
from wire.case import Case, CaseError, Number, exact, expand, read
from wire.check import failures
from wire.run import Done, Pair, Result, Runner
from wire.script import Script
from wire.targets import find

KINDS = [
    *("tool-pairing", "sse-framing", "sse-semantics", "request-fidelity", "roles", "multimodal", "reasoning"),
    *("cost-cache", "leak-to-user", "summarizer-failure", "concurrency", "identity-and-branching"),
    *("token-counting", "size-and-loops", "fidelity", "http-transport", "text-encoding", "security"),
]


def test_the_kinds_are_all_there(own_cases: list[Case]) -> None:
    assert {case.kind for case in own_cases} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_relay_is_caught(kind: str, own_cases: list[Case]) -> None:
    """By an assertion in a case of that kind, and because of the fault: without it the same relay holds that."""
    cases = [case for case in own_cases if case.kind == kind]
    assert broken_by(kind, cases) - broken_by("no fault", cases), f"no case of {kind} notices the fault"


def broken_by(fault: str, cases: list[Case]) -> set[tuple[str, str]]:
    """The assertions that do not hold for a relay with that fault, each with its case."""

    def make(upstream: str, intervene: str, env: Mapping[str, str]) -> BrokenRelay:
        return BrokenRelay(upstream, fault)

    runner = Runner(make)
    try:
        results = [(case, runner.run(case)) for case in cases]
        return {
            (case.id, str(assertion))
            for case, result in results
            for assertion in case.checks
            if failures(result, [assertion])
        }
    finally:
        runner.close()


# --- what is not known is an error, not a pass

ROW: dict[str, Any] = {
    "id": "X1",
    "kind": "roles",
    "request": {"method": "POST", "path": "/v1/chat/completions", "body": {"messages": []}},
    "assert": [{"on": "cl.status", "op": "eq", "value": 200}],
}


def changed(**changes: Any) -> dict[str, Any]:
    return {**ROW, **changes}


@pytest.mark.parametrize(
    "row",
    [
        changed(surprise=1),
        changed(setup={"intervene": "magic"}),
        changed(setup={"surprise": 1}),
        changed(request={**ROW["request"], "surprise": 1}),
        changed(steps=[{"request": ROW["request"]}]),
        changed(request={**ROW["request"], "body": {"$surprise": 1}}),
        {**changed(steps=[{"request": ROW["request"], "surprise": 1}]), "request": None},
        {key: value for key, value in ROW.items() if key != "request"},
        changed(**{"assert": []}),
    ],
)
def test_unknown_fields_of_a_case(row: dict[str, Any]) -> None:
    with pytest.raises(CaseError):
        list(read(row))


@pytest.mark.parametrize("reply", [{"surprise": 1}, {"end": "soon"}, {"for": "other"}, {"connect": "slow"}])
def test_unknown_fields_of_a_reply(reply: dict[str, Any]) -> None:
    with pytest.raises(CaseError):
        Script([reply], {})


def result(body: Any, arrived: Any = None, status: int = 200, answer: bytes = b"{}") -> Result:
    """A result as if `arrived` had reached the upstream."""
    (case,) = read(changed(request={**ROW["request"], "body": body}))
    request = case.steps[0].request
    raw = json.dumps(body if arrived is None else arrived).encode()
    received = Received("POST", "/v1/chat/completions", [("content-length", str(len(raw)))], raw, 1.0)
    step = Done(0, request, Answer(status, [], answer), 0.5, Pair(ScriptedUpstream(), None), [received])  # type: ignore[arg-type]
    return Result(case, [step], [], "log")


@pytest.mark.parametrize(
    "assertion",
    [
        {"on": "cl.status", "op": "surprise"},
        {"on": "cl.surprise", "op": "eq", "value": 1},
        {"on": "up.surprise", "op": "eq", "value": 1},
        {"on": "up.main.surprise", "op": "eq", "value": 1},
        {"on": "surprise", "op": "eq", "value": 1},
        {"on": "cl.status", "op": "eq", "value": 200, "surprise": 1},
        {"on": "cl.status", "op": "eq", "value": 200, "when": "the moon is full"},
    ],
)
def test_unknown_parts_of_an_assertion(assertion: dict[str, Any]) -> None:
    with pytest.raises(CaseError):
        check.judge(result({"messages": []}), assertion)


def test_a_request_that_never_reached_the_upstream_holds_nothing() -> None:
    made = result({"messages": []})
    made.steps[0].main.clear()
    assert check.judge(made, {"on": "up.main.raw", "op": "contains_none", "value": ["x"]})
    assert check.judge(made, {"on": "up.aux.raw", "op": "contains_each", "value": ["x"]}) is None


def test_macros() -> None:
    assert expand({"a": [{"$concat": ["x", {"$repeat": ["ab", 2]}]}]}) == {"a": ["xabab"]}


def test_numbers_are_compared_as_written() -> None:
    assert exact("1.0") != exact("1") and exact("1e-07") == exact("1E-7") and exact("1") == 1
    assert exact("9007199254740993") != exact("9007199254740992")
    assert Number("1").kind is int and Number("1e2").kind is float


def test_variants_make_cases() -> None:
    row = changed(upstream=[{"for": "main", "status": 1, "variants": [{"status": 400}, {"status": 500}]}])
    cases = list(read(row))
    assert [case.id for case in cases] == ["X1", "X1/1"]
    assert [case.upstream[0]["status"] for case in cases] == [400, 500]


# --- every operation on messages holds and fails

U = {"role": "user", "content": "one"}
A = {"role": "assistant", "content": "a"}
V = {"role": "user", "content": "two"}
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]}
TOOL = {"role": "tool", "tool_call_id": "c1", "content": "r"}
S = {"role": "system", "content": "s"}
IMAGE = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]}
SIGNED = {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s"}]}
LED = {"role": "user", "content": "<recap-1>\none\n</recap-1>\ntwo"}
STALE = {"role": "user", "content": "one.\nthree.\ntwo"}
SHOUT = {"role": "user", "content": "RECAP one two"}

MESSAGES: list[tuple[str, list[Any], list[Any], list[Any], dict[str, Any]]] = [
    ("tool_pairs_valid", [U, CALL, TOOL], [U, CALL, TOOL], [U, CALL], {}),
    ("tool_pairs_valid", [U, CALL, TOOL], [U], [U, TOOL], {}),
    ("adjacent_call_results", [U, CALL, TOOL], [U, CALL, TOOL], [U, CALL, U, TOOL], {}),
    ("last_keeps_client_last", [U, A, V], [LED], [LED, A], {}),
    ("last_keeps_client_last", [U, A, V], [V], [{**V, "name": "x"}], {}),
    ("last_text_eq", [U, A, V], [LED], [SHOUT], {"value": "two"}),
    ("each_kept_message_unmodified", [U, A, V], [U, A, LED], [U, {**A, "content": "b"}, V], {}),
    ("each_kept_message_unmodified", [U, A, V], [V], [{**U, "name": "k"}, A, V], {}),
    ("kept_is_subsequence_of_client", [U, A, V], [U, V], [A, U, V], {}),
    ("starts_with_client_message", [U, A, V], [U, V], [V], {}),
    ("leading_system_only", [S, U, A, V], [S, V], [U, S, V], {}),
    ("leading_system_eq_client", [S, U, A, V], [S, V], [V], {}),
    ("roles_subset_of_client", [U, A, V], [V], [S, V], {}),
    ("role_none_contains", [U, A, V], [V], [{**S, "content": "do two"}, V], {"value": ["two"], "roles": ["system"]}),
    ("has_user_turn", [U, A, V], [V], [A], {}),
    ("alternates_if_client_did", [U, A, V], [V], [U, V], {}),
    ("alternates_ignoring_tool_flow", [U, CALL, TOOL, A, V], [U, CALL, TOOL, A, V], [U, CALL, TOOL, V], {}),
    ("no_empty_assistant", [U, A, V], [U, A, V], [U, {**A, "content": ""}, V], {}),
    ("no_added_assistant_message", [U, A, V], [V], [U, {**A, "content": "new"}, V], {}),
    ("no_tool_roles", [U, CALL, TOOL], [U], [U, CALL, TOOL], {}),
    ("parts_preserved", [IMAGE, A, V], [IMAGE, V], [V], {"value": ["image_url"]}),
    ("signed_blocks_intact", [U, SIGNED, V], [V], [{**SIGNED, "content": [{"type": "t", "signature": "z"}]}, V], {}),
    ("current_value", [U, A, V], [LED], [STALE], {"value": ["one"], "superseded": ["three"]}),
    ("current_value", [U, A, V], [U, A, V], [{"role": "user", "content": "Recap.\ntwo"}], {"value": ["one"]}),
    ("added_text_is_delimited", [U, A, V], [LED], [SHOUT], {}),
    ("added_text_language", [U, A, V], [V], [{"role": "user", "content": "das ist nicht der Weg, two"}], {"value": "en"}),
    ("added_text_has_no_open_task", [U, A, V], [V], [LED], {"value": ["one"]}),
    ("added_blocks_le", [U, A, V], [LED], [SHOUT, {**LED, "content": LED["content"]}], {"value": 1}),
    ("added_text_len_le", [U, A, V], [V], [LED], {"value": 5}),
    ("contains_each", [U, A, V], [U, A, V], [V], {"value": ["one"]}),
    ("contains_none", [U, A, V], [V], [U, V], {"value": ["one"]}),
    ("len_eq", [U, A, V], [V], [U, V], {"value": 1}),
    ("count_eq", [U, A, V], [V], [V, V], {"value": ["two", 1]}),
    ("original_or_condensed_from_full_history", [U, A, V], [U, A, V], [], {}),
]  # fmt: skip


@pytest.mark.parametrize(("op", "sent", "good", "bad", "more"), MESSAGES, ids=[row[0] for row in MESSAGES])
def test_operations_on_messages(op: str, sent: Any, good: Any, bad: Any, more: dict[str, Any]) -> None:
    assertion = {"on": "up.main.messages", "op": op, **more}
    assert check.judge(result({"messages": sent}, {"messages": good}), assertion) is None
    if bad:
        assert check.judge(result({"messages": sent}, {"messages": bad}), assertion) is not None


BODIES: list[tuple[str, str, Any, Any, dict[str, Any]]] = [
    ("up.main.body", "eq_client_body", {"a": 1.0}, {"a": 1}, {}),
    ("up.main.raw", "same_bytes_as_client", {"a": 1}, {"a": 2}, {}),
    ("up.main.body", "paths_eq_client", {"a": {"b": 1}}, {"a": {}}, {"value": ["a.b"]}),
    ("up.main.body", "non_message_fields_eq_client", {"a": 1, "b": 2}, {"b": 2, "a": 1}, {}),
    ("up.main.body.b", "absent_if_absent_in_client", {"a": 1}, {"a": 1, "b": 1}, {}),
    ("up.main.body", "keys_subset", {"a": 1}, {"b": 1}, {"value": ["a"]}),
    ("up.main.body.a", "eq_client", {"a": 1}, {"a": 2}, {}),
    ("up.main.body.a", "eq", {"a": 1}, {"a": 2}, {"value": 1}),
    ("up.main.body.a", "ne", {"a": 1}, {"a": 2}, {"value": 2}),
    ("up.main.body.a", "in", {"a": 1}, {"a": 2}, {"value": [1]}),
    ("up.main.body.a", "ge", {"a": 2}, {"a": 1}, {"value": 2}),
    ("up.main.body.a", "le", {"a": 1}, {"a": 2}, {"value": 1}),
    ("up.main.body.a", "between", {"a": 1}, {"a": 9}, {"value": [0, 2]}),
    ("up.main.body.a", "present", {"a": None}, {}, {}),
    ("up.main.body.a", "absent", {}, {"a": None}, {}),
    ("up.main.body.a", "eq_json", {"a": [1]}, {"a": [2]}, {"value": [1]}),
    ("up.main.body.a", "all_eq", {"a": 1}, {"a": 2}, {"value": 1}),
    ("up.main.raw", "contains_text_any", {"a": "xy"}, {"a": "z"}, {"value": ["x", "w"]}),
    ("up.main.body.a", "no_lone_surrogate", {"a": "x"}, {"a": "\ud83d"}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("on", "op", "good", "bad", "more"), BODIES, ids=[row[1] for row in BODIES])
def test_operations_on_bodies(on: str, op: str, good: Any, bad: Any, more: dict[str, Any]) -> None:
    assertion = {"on": on, "op": op, **more}
    assert check.judge(result(good, good), assertion) is None
    assert check.judge(result(good, bad), assertion) is not None


EVENTS: list[tuple[str, bytes, bytes]] = [
    ("each_data_is_json_or_done", b"data: {}\n\ndata: [DONE]\n\n", b"data: : comment\n\n"),
    ("no_event_with_empty_data", b"data: {}\n\n", b"data: \n\n"),
    ("no_event_with_empty_choices", b'data: {"choices":[1]}\n\n', b'data: {"choices":[]}\n\n'),
    ("has_no_done", b"data: {}\n\n", b"data: [DONE]\n\n"),
]


@pytest.mark.parametrize(("op", "good", "bad"), EVENTS, ids=[row[0] for row in EVENTS])
def test_operations_on_events(op: str, good: bytes, bad: bytes) -> None:
    assert check.judge(result({}, answer=good), {"on": "cl.sse", "op": op}) is None
    assert check.judge(result({}, answer=bad), {"on": "cl.sse", "op": op}) is not None


HEADERS: list[tuple[str, list[tuple[str, str]], list[tuple[str, str]], Any]] = [
    ("length_matches_body", [("content-length", "2")], [("content-length", "3")], None),
    ("length_matches_body", [("transfer-encoding", "chunked")], [], None),
    ("not_both", [("a", "1")], [("a", "1"), ("b", "1")], ["a", "b"]),
    ("single", [("a", "1")], [("a", "1"), ("a", "1")], ["a"]),
    ("absent_each", [("a", "1")], [("b", "1")], ["b"]),
    ("no_value_containing", [("a", "1")], [("a", "x-key-x")], ["key"]),
    ("no_coding_outside", [("content-encoding", "gzip")], [("content-encoding", "br")], ["gzip"]),
]


@pytest.mark.parametrize(("op", "good", "bad", "value"), HEADERS, ids=[row[0] for row in HEADERS])
def test_operations_on_headers(
    op: str, good: list[tuple[str, str]], bad: list[tuple[str, str]], value: Any
) -> None:
    for headers, holds in ((good, True), (bad, False)):
        made = result({})
        made.steps[0].answer.headers = headers
        assertion = {"on": "cl.headers", "op": op, "value": value}
        assert (check.judge(made, assertion) is None) is holds


def test_turns_compared_with_each_other() -> None:
    def both(first: list[Any], second: list[Any]) -> Result:
        one, two = (result({"messages": [U, A, V]}, {"messages": messages}) for messages in (first, second))
        two.steps[0].index = 1
        return Result(one.case, [one.steps[0], two.steps[0]], [], "")

    def judged(op: str, first: list[Any], second: list[Any], **more: Any) -> str | None:
        return check.judge(both(first, second), {"on": "up.main[*].messages", "op": op, **more})

    assert judged("same_added_text", [LED], [LED]) is None
    assert judged("same_added_text", [LED], [SHOUT])
    assert judged("append_only_except_boundaries", [U, A, LED], [U, A, V, A, V]) is None
    assert judged("append_only_except_boundaries", [U, A, LED], [V])
    assert judged("append_only_except_boundaries", [U, A, LED], [V], max_boundaries=1) is None
    assert judged("starts_with_rewritten_span_of", [SHOUT, V], [SHOUT, A, V]) is None
    span = {"on": "up.main[1].messages", "op": "starts_with_rewritten_span_of", "value": 0}
    assert check.judge(both([SHOUT, V], [V]), span)


def test_every_operation_has_a_test_above() -> None:
    tested = {row[0] for row in MESSAGES} | {row[1] for row in BODIES} | {row[0] for row in EVENTS}
    tested |= {row[0] for row in HEADERS}
    tested |= {"same_added_text", "append_only_except_boundaries", "starts_with_rewritten_span_of"}
    by_cases = {  # these need a real upstream: the broken relay shows that they fail
        *("same_bytes_as_upstream", "no_new_replacement_char", "valid_utf8_json"),
        *("first_event_before_upstream_end", "closed_within_s_of_client_abort", "within_s"),
    }
    assert set(ops.ONE) | set(ops.MANY) == tested | by_cases


def test_indices_and_stars() -> None:
    made = result({"messages": [U]})
    assert [seen.value for seen in find(made, "cl[0].status")] == [200]
    assert [seen.value for seen in find(made, "cl[*].status")] == [200]
    assert find(made, "up.main[0].messages[0].content")[0].value == "one"
