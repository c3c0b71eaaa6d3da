"""Search the documentation: topics, operations with their fields, errors and events."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from api.problems import CODES
from api.reference import documented_operations, event_catalogue
from api.reference.documented_operations import DocumentedOperation

MOST = 40
# Topics: title, page, anchor, and further search terms.
TOPICS: tuple[tuple[Promise, str, str, str], ...] = (
    (_("Authentication"), "docs", "authentication", "authorization bearer key secret credentials"),
    (_("Errors"), "docs", "errors", "problem code status retryable failure refused"),
    (_("Idempotency"), "docs", "idempotency", "idempotency-key retry twice repeat replay"),
    (_("Addresses and environments"), "docs", "environments", "sandbox live base url host"),
    (_("Requests"), "docs", "requests", "json body amount decimal time content-type"),
    (_("Request IDs"), "docs", "request-ids", "x-request-id log support"),
    (
        _("Lists: pages and filters"),
        "docs",
        "pagination",
        "pagination cursor limit page next list has_more filter",
    ),
    (
        _("Timeouts and browsers"),
        "docs",
        "timeouts",
        "timeout time-out seconds wait cors browser origin cross-origin preflight frontend",
    ),
    (_("Going live"), "docs", "going-live", "go live production launch checklist live key"),
    (_("Versions"), "docs", "versions", "service-version sunset deprecated"),
    (_("Rate limits"), "docs", "rate-limits", "429 throttle burst quota ratelimit"),
    (_("Downloads"), "docs", "downloads", "openapi postman swagger sdk client generator"),
    (_("Signing"), "signing", "", "service-signature hmac nonce replay"),
    (_("Receiving webhooks"), "webhooks_guide", "", "verify signature retry secret rotate hmac"),
    (
        _("Taking payments"),
        "checkout_guide",
        "",
        "checkout widget mount iframe modal payment page domain integrity underpaid",
    ),
    (_("Sandbox"), "sandbox", "", "test magic amounts simulate helpers"),
)


@dataclass(frozen=True)
class DocumentationHit:
    """A search result. `words` are further search terms."""

    title: str
    detail: str
    address: str
    words: str = ""


def found(query: str) -> list[DocumentationHit]:
    """Return the parts that contain every word of the query, title matches first."""
    words = query.casefold().split()
    if not words:
        return []
    hits = [
        hit
        for hit in _parts()
        if all(word in f"{hit.title} {hit.detail} {hit.words}".casefold() for word in words)
    ]
    hits.sort(key=lambda hit: not all(word in hit.title.casefold() for word in words))
    return hits[:MOST]


@cache
def _parts() -> tuple[DocumentationHit, ...]:
    return (*_topics(), *_codes(), *map(_operation, _operations()), *_events())


def _topics() -> Iterator[DocumentationHit]:
    for title, page, part, words in TOPICS:
        address = reverse(f"api:{page}") + (f"#{part}" if part else "")
        yield DocumentationHit(str(title), "", address, words)


def _codes() -> Iterator[DocumentationHit]:
    for code in CODES.values():
        address = reverse("api:problem", args=[code.slug])
        yield DocumentationHit(code.name, code.title, address, f"{code.status} {code.detail}")


def _operations() -> Iterator[DocumentedOperation]:
    for documented in documented_operations.by_product():
        yield from documented.operations


def _operation(one: DocumentedOperation) -> DocumentationHit:
    fields = (member.name for member in (*one.query, *one.body, *one.answer))
    words = " ".join([one.row.name, one.row.scope, *fields])
    return DocumentationHit(one.said, one.row.summary, one.address, words)


def _events() -> Iterator[DocumentationHit]:
    for event in event_catalogue.every():
        address = f"{reverse('api:events')}#{event.anchor}"
        yield DocumentationHit(event.kind.name, str(event.kind.summary), address)
