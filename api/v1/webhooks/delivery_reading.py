"""How deliveries are listed, read and shown."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from api.gateway.operations import ApiAnswer, Call
from api.gateway.pages import page, window
from api.gateway.problems import ApiProblem
from api.v1.callers import business_of
from api.v1.resource import require_environment
from api.v1.webhooks.endpoint_reading import find as find_endpoint
from api.v1.webhooks.endpoint_reading import moment
from api.v1.webhooks.keyset import KeysetList
from apikeys.lifecycle import Environment
from apikeys.webhooks import deliveries
from apikeys.webhooks.models import DeliveryAttempt, WebhookDelivery
from console.core import clock

_COLUMNS = (
    "public_id", "event_id", "event_kind", "kind", "status", "attempts", "ended_at", "created_at",
)  # fmt: skip
_LIST = KeysetList(
    place="delivery",
    columns=[*(f"delivery.{name}" for name in _COLUMNS), "queued.due_at"],
    tables="webhooks_webhookdelivery AS delivery LEFT JOIN webhooks_queueddelivery AS queued"
    " ON queued.public_id = delivery.public_id AND queued.lease_until IS NULL",
    where="delivery.endpoint_id = $4 AND delivery.created_at >= $5::timestamptz"
    " AND ($6::timestamptz IS NULL OR delivery.created_at <= $6::timestamptz)"
    " AND ($7::text[] = '{}' OR delivery.status = ANY ($7::text[]))"
    " AND ($8::text[] = '{}' OR delivery.event_kind = ANY ($8::text[]))",
)


def list_deliveries(call: Call) -> ApiAnswer:
    """List what was, or is to be, delivered to a webhook endpoint, the newest first."""
    endpoint = find_endpoint(call, call.names["id"])
    given = call.parameters
    statuses, kinds = sorted(set(given["status"])), sorted(set(given["event"]))
    since, until = max(given.get("since") or kept_since(), kept_since()), given.get("until")
    filters = (given.get("since"), until, endpoint.pk, "", *statuses, "", *kinds)
    asked = window(call, *map(str, filters))
    rows = _LIST.rows(asked, endpoint.pk, since, until, statuses, kinds)
    return page(rows, asked, lambda *values: _present(endpoint.public_id, *values))


def read(call: Call) -> ApiAnswer:
    """Read one delivery, with every attempt and the exact body that is sent."""
    delivery = find(call, call.names["id"])
    body = deliveries.body(delivery)
    return ApiAnswer(
        show(delivery)
        | {
            "attempts": [_attempt(one) for one in deliveries.attempts(delivery)],
            "request_body": None if body is None else body.decode(),
        }
    )


def find(call: Call, public_id: str) -> WebhookDelivery:
    """Return the caller's own delivery of that id, or refuse as reading it would."""
    business = business_of(call)
    for environment in Environment:
        found = deliveries.find(business, environment, public_id)
        if found is not None:
            require_environment(call, environment)
            return found
    raise ApiProblem("NOT_FOUND")


def show(delivery: WebhookDelivery) -> dict[str, Any]:
    """Return the members of a delivery that is at hand."""
    values = [getattr(delivery, name) for name in _COLUMNS]
    return _present(delivery.endpoint.public_id, *values, deliveries.next_due(delivery))


def kept_since() -> datetime:
    """Return the moment before which nothing is kept: it spares the days that are over."""
    return clock.now() - timedelta(days=settings.WEBHOOK_EVENT_DAYS + 1)


def _present(endpoint_id: str, *values: Any) -> dict[str, Any]:
    *columns, due_at = values
    of = dict(zip(_COLUMNS, columns, strict=True))
    return {
        "id": of["public_id"],
        "object": "webhook_delivery",
        "endpoint_id": endpoint_id,
        "event_id": of["event_id"],
        "event_type": of["event_kind"],
        "kind": str(of["kind"]),
        "status": str(of["status"]),
        "attempt_count": of["attempts"],
        "next_attempt_at": moment(due_at),
        "created_at": moment(of["created_at"]),
        "completed_at": moment(of["ended_at"]),
    }


def _attempt(one: DeliveryAttempt) -> dict[str, Any]:
    return {
        "number": one.number,
        "at": moment(one.at),
        "status": one.status,
        "error": one.error or None,
        "signed_with": one.signed_with,
        "dns_us": one.dns_us,
        "connect_us": one.connect_us,
        "first_byte_us": one.first_byte_us,
        "total_us": one.total_us,
        "response_excerpt": one.excerpt,
    }
