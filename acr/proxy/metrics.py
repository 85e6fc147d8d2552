"""What was counted, as Prometheus reads it. prometheus-client is imported when somebody asks.

Names and units are those of the field: seconds, `_total` for what only grows, and labels of a bounded number
of values. No id, no model, no text.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

    from acr.proxy.tally import Histogram, Tally
    from acr.tracestore import Writer
    from acr.viewstore import Store

BY_REQUEST = ("endpoint", "decision", "operator", "status")


def exposition(
    tally: "Tally",
    gauges: Mapping[str, int],
    info: Mapping[str, str],
    accept: str,
    worker: str = "",
    views: "Store | None" = None,
    store: "Writer | None" = None,
) -> tuple[bytes, str]:
    """The body and its content type: the text format, or OpenMetrics where `accept` asks for it.

    `gauges` by name are the requests and upstream calls under way. `worker` labels every series where several
    processes count apart.
    """
    from prometheus_client import CollectorRegistry
    from prometheus_client.exposition import choose_encoder

    class Once:
        def collect(self) -> "Iterable[Metric]":
            yield from families(tally, gauges, info, worker)
            if views is not None:
                yield from of_views(views, worker)
            if store is not None:
                yield from of_traces(store, worker)

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Once())
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


def families(
    tally: "Tally", gauges: Mapping[str, int], info: Mapping[str, str], worker: str
) -> "Iterator[Metric]":
    """All metrics, in the order in which they are shown."""
    make = _Make({"worker": worker} if worker else {})
    yield make.counter("acr_requests", "Requests, by what became of them.", BY_REQUEST, tally.requests)
    yield make.counter(
        "acr_decisions",
        "Conversations that were read, by who decided what.",
        ("controller", "decision", "operator"),
        tally.decisions,
    )
    failures = {(kind,): count for kind, count in tally.failures.items()}
    yield make.counter(
        "acr_operator_failures",
        "Requests that went on as they came because something of ACR's failed (fail-open).",
        ("error",),
        failures,
    )
    broken = {(endpoint,): count for endpoint, count in tally.broken.items()}
    yield make.counter("acr_broken_answers", "Exchanges that broke off.", ("endpoint",), broken)
    for when in ("before", "after"):
        yield make.counter(
            f"acr_tokens_{when}",
            f"Estimated prompt tokens {when} refactoring, of requests that were refactored.",
            (),
            {(): tally.tokens[when]},
        )
    reported = {(kind,): tally.tokens[kind] for kind in ("prompt", "completion")}
    yield make.counter("acr_upstream_tokens", "Tokens as the upstream reported them.", ("kind",), reported)
    auxiliary = {(kind,): tally.auxiliary[kind] for kind in ("prompt", "completion")}
    yield make.counter("acr_extra_llm_tokens", "Tokens of the auxiliary model.", ("kind",), auxiliary)
    yield make.histogram("acr_overhead_seconds", "ACR's own time before the upstream call.", tally.overhead)
    yield make.histogram("acr_detector_seconds", "Time to read, observe and decide.", tally.deciding)
    yield make.histograms("acr_operator_seconds", "Time of operators.", "operator", tally.operators)
    yield make.histograms(
        "acr_ttft_seconds", "Time to the first byte, by the client.", "endpoint", tally.first_byte
    )
    yield make.histograms("acr_request_seconds", "Time to the last byte.", "endpoint", tally.whole)
    yield make.histogram("acr_lost_score", "Probability that something should be done.", tally.lost)
    yield make.gauge("acr_in_flight_requests", "Requests under way.", gauges["requests"])
    yield make.gauge("acr_in_flight_upstream_calls", "Calls to the upstream under way.", gauges["upstream"])
    yield make.info("acr_build", "Version and settings.", info)
    yield make.gauge("acr_start_time_seconds", "When counting began, in seconds since 1970.", tally.started)


def of_views(store: "Store", worker: str) -> "Iterator[Metric]":
    """What the store of views did."""
    make, counts = _Make({"worker": worker} if worker else {}), store.counts
    looks = {(store.name, result): count for result, count in counts.looks.items()}
    yield make.counter("acr_view_lookups", "Views looked for.", ("store", "result"), looks)
    writes = {(store.name, result): count for result, count in counts.writes.items()}
    yield make.counter("acr_view_writes", "Views to be kept.", ("store", "result"), writes)
    faults = {(store.name, kind): count for kind, count in counts.faults.items()}
    yield make.counter(
        "acr_view_store_failures", "Exchanges with the store that failed.", ("store", "error"), faults
    )
    yield make.summaries(
        "acr_view_store_seconds",
        "Time of exchanges with the store.",
        ("store", "operation"),
        {(store.name, what): (counts.exchanges[what], counts.seconds[what]) for what in counts.exchanges},
    )
    yield make.gauge("acr_view_store_up", "Whether the store answers and takes views.", float(store.up))


def of_traces(store: "Writer", worker: str) -> "Iterator[Metric]":
    """What the store of traces did."""
    make, counts, name = _Make({"worker": worker} if worker else {}), store.counts, store.database.name
    writes = {(name, result): count for result, count in counts.writes.items()}
    yield make.counter("acr_trace_writes", "Traces to be stored.", ("store", "result"), writes)
    yield make.counter(
        "acr_traces_deleted", "Traces deleted by age or size.", ("store",), {(name,): counts.deleted}
    )
    faults = {(name, kind): count for kind, count in counts.faults.items()}
    yield make.counter(
        "acr_trace_store_failures", "Exchanges with the store that failed.", ("store", "error"), faults
    )
    spent = {(name,): (counts.exchanges, counts.seconds)}
    yield make.summaries("acr_trace_store_seconds", "Time of exchanges with the store.", ("store",), spent)
    yield make.gauge("acr_traces_waiting", "Traces that wait to be stored.", store.waiting)
    yield make.gauge("acr_trace_store_up", "Whether the store takes traces.", float(store.up))


class _Make:
    """Families whose series all carry the same extra labels."""

    def __init__(self, extra: Mapping[str, str]) -> None:
        self._names = list(extra)
        self._values = list(extra.values())

    def counter(self, name: str, told: str, labels: tuple[str, ...], counts: Mapping[Any, float]) -> "Metric":
        from prometheus_client.metrics_core import CounterMetricFamily

        family = CounterMetricFamily(name, told, labels=[*labels, *self._names])
        for key, count in list(counts.items()):
            family.add_metric([*key, *self._values], count)
        return family

    def histogram(self, name: str, told: str, histogram: "Histogram") -> "Metric":
        return self.histograms(name, told, "", {"": histogram})

    def histograms(self, name: str, told: str, label: str, histograms: "Mapping[str, Histogram]") -> "Metric":
        from prometheus_client.metrics_core import HistogramMetricFamily

        family = HistogramMetricFamily(name, told, labels=[*([label] if label else []), *self._names])
        for key, one in list(histograms.items()):
            bounds = [*map(str, one.bounds), "+Inf"]
            buckets = list(zip(bounds, map(float, accumulate(one.counts)), strict=True))
            family.add_metric([*([key] if label else []), *self._values], buckets, one.sum)
        return family

    def summaries(
        self, name: str, told: str, labels: tuple[str, ...], spent: Mapping[Any, tuple[int, float]]
    ) -> "Metric":
        """How many there were of each, and what they sum up to."""
        from prometheus_client.metrics_core import SummaryMetricFamily

        family = SummaryMetricFamily(name, told, labels=[*labels, *self._names])
        for key, (count, total) in spent.items():
            family.add_metric([*key, *self._values], count, total)
        return family

    def gauge(self, name: str, told: str, value: float) -> "Metric":
        from prometheus_client.metrics_core import GaugeMetricFamily

        family = GaugeMetricFamily(name, told, labels=self._names)
        family.add_metric(self._values, value)
        return family

    def info(self, name: str, told: str, values: Mapping[str, str]) -> "Metric":
        from prometheus_client.metrics_core import InfoMetricFamily

        family = InfoMetricFamily(name, told, labels=self._names)
        family.add_metric(self._values, dict(values))
        return family
