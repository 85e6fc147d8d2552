"""OpenTelemetry: what its own in-memory exporters get of real requests, and what a collector gets over HTTP."""

import subprocess
import sys
import time
from typing import Any

import pytest
from support.http import send
from support.proxy import RunningProxy
from support.story import HOSTILE, PIECES, Start, answering, talk
from support.upstream import Reply, ScriptedUpstream

from acr import registry
from acr.engine import Engine

sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="the extra otel is not installed")

from opentelemetry.sdk.metrics import MeterProvider  # noqa: E402
from opentelemetry.sdk.metrics.export import InMemoryMetricReader  # noqa: E402
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: E402
from opentelemetry.trace import SpanKind, StatusCode  # noqa: E402

from acr.proxy.telemetry import Telemetry  # noqa: E402

CHAT = "/v1/chat/completions"


class Collected:
    def __init__(self, proxy: RunningProxy) -> None:
        self.exporter, self.reader = InMemorySpanExporter(), InMemoryMetricReader()
        tracers = sdk.TracerProvider()
        tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        telemetry = Telemetry(tracers, MeterProvider([self.reader]), "1")
        relay = proxy.app.relay
        relay.observers = (*relay.observers, telemetry)

    def spans(self, count: int = 1) -> Any:
        """The spans, once there are so many: one is made after the client has its last byte."""
        until = time.monotonic() + 10
        while len(self.exporter.get_finished_spans()) < count and time.monotonic() < until:
            time.sleep(0.01)
        return self.exporter.get_finished_spans()

    def points(self, name: str) -> list[Any]:
        data = self.reader.get_metrics_data()
        rows = [
            metric for one in data.resource_metrics for scope in one.scope_metrics for metric in scope.metrics
        ]
        return [point for metric in rows if metric.name == name for point in metric.data.data_points]


def test_a_conversation_in_the_words_of_the_conventions(start: Start, upstream: ScriptedUpstream) -> None:
    upstream.script = answering
    proxy = start(Engine(registry.controller("rules"), registry.operators()))
    seen = Collected(proxy)
    talk(proxy, [*PIECES[:2]])
    talk(proxy, [HOSTILE], stream=False)
    first, second, third = seen.spans(3)
    assert second.name == "chat demo-model" and second.kind is SpanKind.CLIENT
    told = second.attributes
    assert told["gen_ai.operation.name"] == "chat" and told["gen_ai.provider.name"] == "openai"
    assert told["gen_ai.request.model"] == "demo-model" and told["gen_ai.request.stream"] is False
    assert told["gen_ai.usage.input_tokens"] == 9 and told["gen_ai.usage.output_tokens"] == 1
    assert told["gen_ai.response.finish_reasons"] == ("stop",) and told["http.response.status_code"] == 200
    assert told["acr.decision"] == "intervened" and told["acr.operator"] == "consolidate"
    assert told["acr.tokens.before"] > told["acr.tokens.after"] and told["acr.controller"] == "rules"
    assert first.attributes["acr.decision"] == "none" and second.status.status_code is StatusCode.UNSET
    assert 0 < second.end_time - second.start_time < 60e9
    everything = repr([(span.name, dict(span.attributes)) for span in seen.spans(3)])
    assert "orchard" not in everything and "onerror" not in everything and "127.0.0.1" not in everything
    assert third.attributes["acr.request.id"]
    tokens = {
        point.attributes["gen_ai.token.type"]: point for point in seen.points("gen_ai.client.token.usage")
    }
    assert tokens["input"].sum == 27 and tokens["output"].sum == 3
    assert [point.count for point in seen.points("gen_ai.client.operation.duration")] == [3]
    decisions = {point.attributes["acr.decision"]: point.value for point in seen.points("acr.decisions")}
    assert decisions == {"none": 2, "intervened": 1}


def test_it_is_a_child_of_the_clients_span(start: Start, upstream: ScriptedUpstream) -> None:
    proxy = start()
    seen = Collected(proxy)
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    send(proxy.port, "POST", CHAT, b'{"stream": true}', [("traceparent", parent)])
    (span,) = seen.spans()
    assert f"{span.context.trace_id:032x}" == parent.split("-")[1]
    assert f"{span.parent.span_id:016x}" == parent.split("-")[2]
    assert upstream.received[0].header("traceparent") == parent
    assert "gen_ai.response.time_to_first_chunk" in span.attributes


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply.of_json({"error": {"message": "secret"}}, 429), "429"),
        (Reply(disconnect=True), "the upstream cannot be reached"),
        (
            Reply([b"da", b"ta"], end="abort", headers=[("content-type", "text/event-stream")]),
            "the upstream broke off",
        ),
    ],
)
def test_what_went_wrong(start: Start, upstream: ScriptedUpstream, reply: Reply, error: str) -> None:
    proxy = start()
    seen = Collected(proxy)
    upstream.answer(reply)
    send(proxy.port, "POST", CHAT, b'{"model": "m"}')
    (span,) = seen.spans()
    assert span.status.status_code is StatusCode.ERROR and span.attributes["error.type"]
    if not reply.disconnect:
        assert span.attributes["error.type"] == error
    assert "secret" not in repr(dict(span.attributes))


def test_a_collector_gets_it(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedUpstream(lambda request: Reply()) as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.port}")
        from support.upstream import ok

        with ScriptedUpstream(ok) as model, RunningProxy(model.url, otel=True) as proxy:
            send(proxy.port, "POST", CHAT, b'{"model": "the-model"}')
        paths = {request.target for request in collector.received}
        sent = b"".join(request.body for request in collector.received)
    assert {"/v1/traces", "/v1/metrics"} <= paths
    assert sent and "content-encoding" not in {key for r in collector.received for key, _ in r.headers}
    assert b"chat the-model" in sent and b"gen_ai.client.operation.duration" in sent and b"acr" in sent


def test_nothing_is_imported_where_it_is_off() -> None:
    code = (
        "import sys; from acr.settings import Settings; from acr.proxy.app import create_app; "
        "create_app(Settings.load(upstream='http://127.0.0.1:9/v1')); "
        "print([name for name in ('opentelemetry', 'prometheus_client', 'openai', 'langchain_core', 'langgraph') "
        "if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=90)
    assert found.stdout.strip() == "[]", found.stderr
