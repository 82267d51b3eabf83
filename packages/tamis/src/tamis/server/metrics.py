"""The counters of /metrics, in the format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)


class Metrics:
    """All counters of one server."""

    def __init__(self, pending: Callable[[], float], workers: int) -> None:
        """`pending`: a function that counts the pages that wait or are in work."""
        self._registry = registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        self._requests = Counter(
            "tamis_requests", "requests by path, method and status", ["path", "method", "status"], registry=registry
        )
        self._request_seconds = Histogram(
            "tamis_request_seconds", "seconds of a request", ["path"], buckets=_SECONDS, registry=registry
        )
        self._pages = Counter(
            "tamis_pages", "pages by extractor and outcome", ["extractor", "outcome"], registry=registry
        )
        self._page_seconds = Histogram(
            "tamis_page_seconds", "seconds in a worker process", buckets=_SECONDS, registry=registry
        )
        self._fetches = Counter("tamis_fetches", "fetched addresses by outcome", ["outcome"], registry=registry)
        Gauge("tamis_pages_pending", "pages that wait or are in work", registry=registry).set_function(pending)
        Gauge("tamis_workers", "worker processes", registry=registry).set(workers)

    def request(self, path: str, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, method, str(status)).inc()
        self._request_seconds.labels(path).observe(seconds)

    def page(self, extractor: str, outcome: str, seconds: float | None = None) -> None:
        """Count a page; the outcome is `fine` or the kind of a problem."""
        self._pages.labels(extractor, outcome).inc()
        if seconds is not None:
            self._page_seconds.observe(seconds)

    def fetch(self, outcome: str) -> None:
        """Count a fetched address; the outcome is `fine` or the kind of a problem."""
        self._fetches.labels(outcome).inc()

    def text(self) -> bytes:
        """All counters as text."""
        return generate_latest(self._registry)
