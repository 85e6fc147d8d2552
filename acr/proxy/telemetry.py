"""Traces and metrics by OpenTelemetry, in the words of its GenAI conventions (as of 1.41, "development").

A request that held a conversation is a span `chat {model}`, made after the client has its last byte: nothing
on the way of a request waits for it. It is a child of the client's span where the request has a
`traceparent`, which itself goes on untouched. No message text, no key, no address. Imported only where `otel`
is on.
"""

import os
import time
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from opentelemetry import metrics, trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from acr.proxy.exchange import Exchange
from acr.trace import Trace

SCOPE = "acr"
PROVIDERS = {"chat": "openai", "responses": "openai", "messages": "anthropic"}
"""Whose API was spoken. Which company runs the upstream is not known here."""

SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
"""Bounds that the conventions ask for."""

_TRACEPARENT = TraceContextTextMapPropagator()


class Telemetry:
    """An observer of exchanges. Call it with each, and its trace."""

    def __init__(self, tracers: trace.TracerProvider, meters: metrics.MeterProvider, version: str) -> None:
        self._tracer = tracers.get_tracer(SCOPE, version)
        meter = meters.get_meter(SCOPE, version)
        histogram: Callable[..., Any] = meter.create_histogram
        self._tokens = histogram(
            "gen_ai.client.token.usage",
            "{token}",
            "Tokens as the upstream reported them.",
            explicit_bucket_boundaries_advisory=TOKENS,
        )
        self._duration = histogram(
            "gen_ai.client.operation.duration",
            "s",
            "Time to the last byte.",
            explicit_bucket_boundaries_advisory=SECONDS,
        )
        self._first = histogram(
            "gen_ai.client.operation.time_to_first_chunk",
            "s",
            "Time to the first byte of a stream.",
            explicit_bucket_boundaries_advisory=SECONDS,
        )
        self._overhead = histogram("acr.overhead", "s", "ACR's own time before the upstream call.")
        self._decisions = meter.create_counter(
            "acr.decisions", "{request}", "Requests by what became of them."
        )

    def __call__(self, exchange: Exchange, told: Trace | None) -> None:
        if told is None:
            return
        seconds = perf_counter() - exchange.started
        error = _error(exchange, told)
        common = _common(told)
        self._span(exchange, told, common, seconds, error)
        failed = {"error.type": error} if error else {}
        self._duration.record(seconds, {**common, **failed})
        if told.stream and exchange.first_byte is not None:
            self._first.record(exchange.first_byte - exchange.started, common)
        usage = told.answer.usage if told.answer else None
        if usage is not None and not told.answered:
            for kind, count in (("input", usage.prompt_tokens), ("output", usage.completion_tokens)):
                if count is not None:
                    self._tokens.record(count, {**common, "gen_ai.token.type": kind})
        self._overhead.record(told.overhead_ms / 1000)
        self._decisions.add(1, {"acr.decision": told.decision})

    def _span(
        self, exchange: Exchange, told: Trace, common: Mapping[str, str], seconds: float, error: str | None
    ) -> None:
        ended = time.time_ns()
        headers = {
            key.decode("latin-1"): value.decode("latin-1")
            for key, value in exchange.headers
            if key in (b"traceparent", b"tracestate")
        }
        span = self._tracer.start_span(
            f"chat {told.model}".strip(),
            context=_TRACEPARENT.extract(headers),
            kind=trace.SpanKind.CLIENT,
            attributes={**common, **_attributes(exchange, told)},
            start_time=ended - int(seconds * 1e9),
        )
        if error:
            span.set_attribute("error.type", error)
            span.set_status(trace.StatusCode.ERROR)
        span.end(ended)


def _common(told: Trace) -> dict[str, str]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDERS.get(told.dialect, told.dialect),
        **({"gen_ai.request.model": told.model} if told.model else {}),
    }


def _attributes(exchange: Exchange, told: Trace) -> dict[str, Any]:
    usage = told.answer.usage if told.answer else None
    finished = [one.finish for one in told.answer.choices if one.finish] if told.answer else []
    known = {
        "gen_ai.request.stream": told.stream,
        "gen_ai.usage.input_tokens": usage.prompt_tokens if usage else None,
        "gen_ai.usage.output_tokens": usage.completion_tokens if usage else None,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens if usage else None,
        "gen_ai.response.finish_reasons": finished or None,
        "gen_ai.response.time_to_first_chunk": exchange.first_byte - exchange.started
        if told.stream and exchange.first_byte is not None
        else None,
        "http.response.status_code": exchange.status or None,
        "acr.request.id": told.id,
        "acr.decision": told.decision,
        "acr.reason": told.reason,
        "acr.controller": told.controller or None,
        "acr.operator": told.operator,
        "acr.confidence": told.confidence,
        "acr.failure": told.failure,
        "acr.tokens.before": told.tokens_before,
        "acr.tokens.after": told.tokens_after,
        "acr.overhead": told.overhead_ms / 1000,
    }
    return {name: value for name, value in known.items() if value is not None}


def _error(exchange: Exchange, told: Trace) -> str | None:
    """What went wrong with the answer, in few words; a status where the upstream said no."""
    if exchange.error:
        return exchange.error
    if exchange.status >= 400:
        return str(exchange.status)
    return None


def exporting(version: str) -> tuple[Telemetry, Callable[[], None]]:
    """What sends by OTLP over HTTP, as the standard `OTEL_…` variables say, and how to end it.

    Raises `ImportError` without the extra `otel`.
    """
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    given = os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in given
    resource = Resource.create(
        {"service.version": version, **({} if named else {"service.name": SCOPE}), "process.pid": os.getpid()}
    )
    tracers = TracerProvider(resource=resource)
    if os.environ.get("OTEL_TRACES_EXPORTER", "otlp") != "none":
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    wanted = os.environ.get("OTEL_METRICS_EXPORTER", "otlp") != "none"
    meters = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())] if wanted else (), resource)

    def end() -> None:
        tracers.shutdown()
        meters.shutdown()

    return Telemetry(tracers, meters, version), end
