"""Middleware that counts and times requests by route, and reads the database pool."""

from __future__ import annotations

from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import connection
from django.http import HttpRequest, HttpResponse

from console.core import routes
from console.core.middleware import GetResponse

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

_STATES = {"pool_size": "open", "pool_available": "idle", "requests_waiting": "waiting"}


class RequestFiguresMiddleware:
    """Is not used unless METRICS_PORT is set."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.METRICS_PORT:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.requests, self.seconds, self.pool = _figures()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = monotonic()
        response = self.get_response(request)
        # Without the ids, of which there are many.
        route = routes.name_of(request).partition(" ")[0]
        self.requests.labels(route, response.status_code).inc()
        self.seconds.labels(route).observe(monotonic() - began)
        if pool := connection.pool:  # type: ignore[attr-defined]  # PostgreSQL's
            stats = pool.get_stats()
            for name, state in _STATES.items():
                self.pool.labels(state).set(stats.get(name, 0))
        return response


@cache
def _figures() -> tuple[Counter, Histogram, Gauge]:
    """Return the figures of this process, which may load the middleware more than once."""
    # Imported late, because a library that is not used costs memory in each process.
    from prometheus_client import Counter, Gauge, Histogram

    return (
        Counter("console_requests", "Requests by route and status.", ["route", "status"]),
        Histogram("console_request_seconds", "Duration of requests by route.", ["route"]),
        Gauge(
            "console_database_pool",
            "Connections of the web processes' pools, and requests that wait for one.",
            ["state"],
            multiprocess_mode="livesum",
        ),
    )
