"""Puts the request around every entry, and writes down the attempts that changed nothing."""

from datetime import timedelta

import structlog
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from console.audit import context, failed_requests, log
from console.audit.models import Entry
from console.core import addresses, clock, ids, routes
from console.core.middleware import GetResponse

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# Entries stay for ever: a program that asks in a loop leaves so many a minute, and is then counted.
MOST_A_MINUTE = 60


class Attempt:
    """A page that was asked to change something, as a subject of the log."""

    def __init__(self, name: str) -> None:
        self.public_id = name


class AuditMiddleware:
    """Every unsafe request leaves a trace: its effect, or that it had none.

    Who is signed in leaves an entry of their own; strangers are counted, and so is whoever tries
    on and on.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if routes.is_api(request):
            return self.get_response(request)
        request_id = ids.new("req")
        # One number for the page, the log entry and every line of the logs.
        request.META["console.request_id"] = request_id
        structlog.contextvars.bind_contextvars(request_id=request_id)
        around = context.Circumstances(request_id, addresses.client_ip(request), via="web")
        with context.during(around):
            response = self.get_response(request)
            response.headers["X-Request-Id"] = request_id
            if request.method not in SAFE and not around.written:
                _record_attempt(request, response)
        return response


def _record_attempt(request: HttpRequest, response: HttpResponse) -> None:
    """Name the page, never what was typed into it."""
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
    """Tell whether somebody has left as many entries within a minute as they may.

    Requests at the same moment do not see each other: each thread may add one.
    """
    since = clock.now() - timedelta(minutes=1)
    entries = Entry.objects.filter(actor_id=person_id, at__gt=since, code="request.changed_nothing")
    return entries[:MOST_A_MINUTE].count() == MOST_A_MINUTE
