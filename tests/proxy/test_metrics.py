"""What Prometheus gets: read with its own parser, checked against what was done, held to the dashboard."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text_format
from support.engines import Broken
from support.http import send
from support.proxy import RunningProxy
from support.story import HOSTILE, answering, talk, told
from support.upstream import Reply, ScriptedUpstream

from acr import registry
from acr.engine import Engine
from acr.proxy.metrics import exposition
from acr.proxy.tally import MAX_NAMES, OTHER, Histogram, Names, Tally
from acr.tracestore.writer import Counts
from acr.viewstore import Memory

ROOT = Path(__file__).parents[2]
OPEN = "application/openmetrics-text; version=1.0.0"
SUFFIXES = ("_total", "_bucket", "_sum", "_count", "_info", "_created")


@pytest.fixture(scope="module")
def seen() -> Iterator[RunningProxy]:
    with ScriptedUpstream(answering) as model:
        made = Engine(registry.controller("rules"), {**registry.operators(), "broken": Broken()})
        with RunningProxy(model.url, made) as running:
            told(running)
            talk(running, ["What is a ring?"], stream=False)
            send(running.port, "GET", "/v1/models")
            send(running.port, "POST", "/v1/embeddings", b"{}")
            yield running


def scrape(proxy: RunningProxy, accept: str = "") -> dict[str, float]:
    """Samples by name and sorted labels."""
    answer = send(proxy.port, "GET", "/metrics", headers=[("accept", accept)] if accept else [])
    assert answer.status == 200
    parse = openmetrics if accept else text_format
    return {
        sample.name + json.dumps(dict(sorted(sample.labels.items()))): sample.value
        for family in parse(answer.body.decode())
        for sample in family.samples
    }


def total(samples: dict[str, float], name: str, **labels: str) -> float:
    wanted = labels.items()
    rows = ((key.removeprefix(name), value) for key, value in samples.items() if key.startswith(f"{name}{{"))
    return sum(value for key, value in rows if wanted <= json.loads(key).items())


@pytest.mark.parametrize("accept", ["", OPEN])
def test_it_tells_what_was_done(seen: RunningProxy, accept: str) -> None:
    samples = scrape(seen, accept)
    done = {"endpoint": "/v1/chat/completions", "status": "200"}
    assert total(samples, "acr_requests_total", **done) == 13
    assert total(samples, "acr_requests_total", decision="intervened", operator="consolidate", **done) == 4
    assert total(samples, "acr_requests_total", decision="bypassed") == 2
    assert total(samples, "acr_requests_total", decision="relayed", endpoint=OTHER) == 2
    assert total(samples, "acr_decisions_total", controller="rules", decision="intervened") == 4
    assert total(samples, "acr_operator_failures_total", error="OperatorError") == 1
    assert total(samples, "acr_tokens_before_total") > total(samples, "acr_tokens_after_total") > 0
    assert total(samples, "acr_upstream_tokens_total", kind="completion") == 13
    assert total(samples, "acr_overhead_seconds_count") == 13
    assert total(samples, "acr_overhead_seconds_bucket", le="+Inf") == 13
    assert total(samples, "acr_lost_score_count") == total(samples, "acr_detector_seconds_count") == 6
    assert total(samples, "acr_operator_seconds_count", operator="consolidate") == 4
    assert total(samples, "acr_request_seconds_count") == total(samples, "acr_requests_total") == 15
    assert total(samples, "acr_in_flight_requests") == 0 and total(samples, "acr_build_info") == 1


def test_no_text_and_no_id_in_it(seen: RunningProxy) -> None:
    body = send(seen.port, "GET", "/metrics").body.decode()
    assert HOSTILE not in body and "orchard" not in body and "demo-model" not in body
    assert not re.search(r"acr-[0-9a-f]{8}|127\.0\.0\.1", body)


def test_who_may_read_it(start: Any) -> None:
    keyed, public, off = start(api_key="K-1"), start(api_key="K-1", metrics="open"), start(metrics="off")
    assert send(keyed.port, "GET", "/metrics").status == 401
    assert send(keyed.port, "GET", "/metrics", headers=[("authorization", "Bearer K-1")]).status == 200
    assert send(public.port, "GET", "/metrics").status == 200
    assert send(off.port, "GET", "/metrics").status == 404


def test_one_of_several_workers_says_which(start: Any) -> None:
    samples = scrape(start(workers=2))
    assert all('"worker"' in key for key in samples)


def test_refused_and_broken_are_counted(start: Any, upstream: ScriptedUpstream) -> None:
    proxy = start(api_key="K-1", metrics="open")
    send(proxy.port, "POST", "/v1/chat/completions", b"{}")
    upstream.answer(
        Reply([b"data: {", b"half"], end="abort", headers=[("content-type", "text/event-stream")])
    )
    send(proxy.port, "POST", "/v1/chat/completions", b"{}", [("x-api-key", "K-1")])
    samples = scrape(proxy)
    assert total(samples, "acr_requests_total", decision="refused", status="401") == 1
    assert total(samples, "acr_broken_answers_total", endpoint="/v1/chat/completions") == 1


def test_names_that_clients_choose_are_bounded() -> None:
    names = Names()
    first = {names.bounded(f"recap+{number}") for number in range(10 * MAX_NAMES)}
    assert len(first) == MAX_NAMES + 1 and OTHER in first
    assert names.bounded("recap+0") == "recap+0"


@given(st.lists(st.floats(0, 1000), max_size=40))
def test_buckets_hold_what_was_seen(values: list[float]) -> None:
    tally = Tally(frozenset())
    for value in values:
        tally.overhead.add(value)
    body, _ = exposition(tally, {"requests": 0, "upstream": 0}, {}, "")
    family = next(f for f in text_format(body.decode()) if f.name == "acr_overhead_seconds")
    for sample in family.samples:
        if sample.name.endswith("_bucket"):
            assert sample.value == sum(value <= float(sample.labels["le"]) for value in values)
        elif sample.name.endswith("_count"):
            assert sample.value == len(values)
        elif sample.name.endswith("_sum"):
            assert sample.value == pytest.approx(sum(values))


def test_a_fault_in_counting_reaches_nobody(start: Any) -> None:
    proxy = start()
    proxy.app.relay.observers = (lambda exchange, trace: SimpleNamespace().none, *proxy.app.relay.observers)
    assert send(proxy.port, "POST", "/v1/chat/completions", b"{}").status == 200
    assert total(scrape(proxy), "acr_requests_total") == 1


def described() -> dict[str, frozenset[str]]:
    """Metrics by name as the code makes them, with their labels."""
    tally = Tally(frozenset({"/v1/x"}))
    tally.requests["e", "d", "o", "s"] = tally.decisions["c", "d", "o"] = 1
    tally.failures["x"] = tally.broken["x"] = 1
    for each in (tally.operators, tally.first_byte, tally.whole):
        each["x"] = Histogram((1.0,))
    store = Memory()
    for counter in (store.counts.looks, store.counts.writes, store.counts.faults, store.counts.exchanges):
        counter["x"] = 1
    traces = Counts(deleted=1, exchanges=1)
    for counter in (traces.writes, traces.faults):
        counter["x"] = 1
    writer: Any = SimpleNamespace(counts=traces, database=SimpleNamespace(name="sqlite"), waiting=0, up=True)
    body, _ = exposition(
        tally, {"requests": 0, "upstream": 0}, {"version": "1"}, "", views=store, store=writer
    )
    found: dict[str, frozenset[str]] = {}
    for family in text_format(body.decode()):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, frozenset()) | sample.labels.keys()
    return found


def test_the_dashboard_asks_for_metrics_that_there_are() -> None:
    board = json.loads((ROOT / "deploy" / "grafana" / "acr.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [board["annotations"]["list"][0]["expr"], board["templating"]["list"][1]["query"]["query"]]
    known, used = described(), set()
    for expression in asked:
        assert expression.count("(") == expression.count(")") and expression.count("{") == expression.count(
            "}"
        )
        names = re.findall(r"\bacr_\w+", expression)
        assert names and set(names) <= known.keys(), expression
        used |= set(names)
        labels = {label for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(", ")}
        labels |= set(re.findall(r'(\w+)(?:=~|!~|!=|=)"', expression))
        assert labels <= {"job", "instance", *(label for name in names for label in known[name])}, expression
    families = {re.sub("|".join(f"{suffix}$" for suffix in SUFFIXES), "", name) for name in known}
    left = families - {re.sub("|".join(f"{suffix}$" for suffix in SUFFIXES), "", name) for name in used}
    assert not left, f"metrics that the dashboard does not show: {left}"
    ids = [panel["id"] for panel in board["panels"]]
    assert len(set(ids)) == len(ids)


def test_the_page_tells_of_every_metric() -> None:
    page = (ROOT / "docs" / "observability.md").read_text(encoding="utf-8")
    named = {re.sub(r"_(bucket|sum|count)$", "", name) for name in described()}
    assert named == set(re.findall(r"^\| `(acr_\w+)`", page, re.MULTILINE))
