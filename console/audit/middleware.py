"""Middleware that sets the audit context, and records unsafe requests that changed nothing."""

from datetime import timedelta
from http import HTTPStatus

from django.db import transaction
from django.http import HttpRequest, HttpResponse

from console.audit import context, failed_requests, log
from console.audit.models import Entry
from console.core import addresses, clock, routes
from console.core.middleware import GetResponse

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# Entries are kept forever, so a client in a loop writes this many a minute and is then only
# counted.
MOST_A_MINUTE = 60


class Attempt:
    """A page that received an unsafe request, as the subject of an entry."""

    def __init__(self, name: str) -> None:
        self.public_id = name


class AuditMiddleware:
    """Makes every unsafe request leave a trace: its effect, or that it had none.

    A signed-in user's attempt is an entry of its own. Attempts by strangers, and by users who keep
    repeating them, are only counted.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if routes.is_api(request):
            return self.get_response(request)
        request_id = request.META["console.request_id"]
        around = context.Circumstances(request_id, addresses.client_ip(request), via="web")
        with context.during(around):
            response = self.get_response(request)
            response.headers["X-Request-Id"] = request_id
            # Without a refusal, it is the database that is not available.
            is_503 = response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
            lost = is_503 and "X-Refusal" not in response.headers
            if request.method not in SAFE and not around.written and not lost:
                _record_attempt(request, response)
        return response


def _record_attempt(request: HttpRequest, response: HttpResponse) -> None:
    """Record the attempt by the page's name, never with the values submitted to it."""
    match = request.resolver_match
    user = getattr(request, "user", None)
    person = user if user is not None and user.is_authenticated else None
    name = (match.view_name if match else "") or "unknown"
    refusal = str(response.headers.get("X-Refusal", ""))
    if person is None or _has_enough(person.public_id):
        failed_requests.count(
            network=addresses.network(request), page=name, status=response.status_code,
            refusal=refusal, request_id=context.current().request_id,
        )  # fmt: skip
        return
    with transaction.atomic():
        log.record(
            "request.changed_nothing",
            Attempt(name[:80]),
            by=person,
            status=response.status_code,
            refusal=refusal,
            business_id=routes.public_ids(match.kwargs if match else {}).get("business_id", ""),
        )


def _has_enough(person_id: str) -> bool:
    """Tell whether a user has reached the number of entries allowed per minute.

    Concurrent requests do not see each other, so each thread may add one more.
    """
    since = clock.now() - timedelta(minutes=1)
    entries = Entry.objects.filter(actor_id=person_id, at__gt=since, code="request.changed_nothing")
    return entries[:MOST_A_MINUTE].count() == MOST_A_MINUTE
