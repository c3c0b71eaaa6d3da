"""Queries on the request log, always for one business; the log is partitioned by day."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from apikeys.models import RequestLog
from console.accounts.models import Business
from console.core import clock, day_partitions
from console.shell import keyset_pages
from console.shell.keyset_pages import KeysetPage

TABLE = "apikeys_requestlog"
KEPT_DAYS = 90
# Periods over which errors are grouped and over which an allowlist is tested.
GROUPED = timedelta(days=7)
TRIED = timedelta(days=30)
PAGE = 50
_MOST_GROUPS = 10
_MOST_CALLERS = 5000
# An index serves these calls only.
FAILED = Q(status__gte=400)
OUTCOMES = {"2xx": (200, 299), "4xx": (400, 499), "5xx": (500, 599)}


@dataclass(frozen=True)
class LogFilters:
    """Filters of a request-log page; empty ones do not filter."""

    environment: str = ""
    outcome: str = ""
    code: str = ""
    endpoint: str = ""
    key_id: str = ""
    ip: str = ""
    q: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def condition(self) -> Q:
        """Return the filters as one condition.

        `endpoint` is `METHOD /path`. `q` is the ID of a request or of an object.
        """
        method, _, path = self.endpoint.partition(" ")
        exact = {
            "environment": self.environment,
            "code": self.code,
            "method": method,
            "path": path,
            "key_id": self.key_id,
            "ip": self.ip,
            "request_id" if self.q.startswith("req_") else "object_id": self.q,
            "at__gte": self.since,
            "at__lte": self.until,
        }
        found = Q(**{name: value for name, value in exact.items() if value})
        if self.code:
            found &= FAILED
        return found & Q(status__range=OUTCOMES[self.outcome]) if self.outcome else found


class ErrorGroup(NamedTuple):
    """How often an operation answered with one code."""

    code: str
    method: str
    path: str
    calls: int
    last_at: datetime


class CallerAddress(NamedTuple):
    """An address from which calls came."""

    ip: str
    calls: int
    last_at: datetime


def keep_days() -> None:
    """Create the log's partitions for the coming days, and drop those past the retention period."""
    day_partitions.keep(TABLE, days=KEPT_DAYS)


def page(business: Business, filters: LogFilters, *, after: str = "") -> KeysetPage:
    """Return a page of a business's calls, newest first."""
    found = _of(business).filter(filters.condition())
    return keyset_pages.page_of(found, "-at", after, size=PAGE)


def find(business: Business, request_id: str) -> RequestLog | None:
    return of_id(request_id).filter(business=business).first()


def of_id(given: str) -> QuerySet[RequestLog]:
    """Return the calls of all businesses with this request ID, or about this object."""
    named = {"request_id" if given.startswith("req_") else "object_id": given}
    return _kept().filter(**named, business__isnull=False).select_related("business")


def errors(business: Business) -> list[ErrorGroup]:
    """Return recent errors grouped by code and endpoint, most frequent first."""
    refused = _of(business).filter(FAILED, at__gte=clock.now() - GROUPED).exclude(code="")
    counted = refused.values_list("code", "method", "path").annotate(
        calls=Count("pk"), last_at=Max("at")
    )
    groups = counted.order_by("-calls", "code", "path")[:_MOST_GROUPS]
    return [ErrorGroup(*row) for row in groups]


def callers(business: Business, environment: str, key_id: str = "") -> list[CallerAddress]:
    """Return the caller addresses of the last 30 days, most calls first."""
    calls = _of(business).filter(
        at__gte=clock.now() - TRIED, environment=environment, ip__isnull=False
    )
    if key_id:
        calls = calls.filter(key_id=key_id)
    counted = calls.values_list("ip").annotate(calls=Count("pk"), last_at=Max("at"))
    return [CallerAddress(*row) for row in counted.order_by("-calls", "ip")[:_MOST_CALLERS]]


def _of(business: Business) -> QuerySet[RequestLog]:
    return _kept().filter(business=business)


def _kept() -> QuerySet[RequestLog]:
    """Filter by time, so that the query uses the indexes of few partitions."""
    return RequestLog.objects.filter(at__gte=clock.now() - timedelta(days=KEPT_DAYS + 1))
