"""How an endpoint is read and shown: its own row, its lane, its newest probe, what waits for it."""

from datetime import datetime
from typing import Any

from api.gateway.operations import ApiAnswer, Call
from api.gateway.pages import page, window
from api.gateway.problems import ApiProblem
from api.v1.resource import require_environment
from api.v1.webhooks.keyset import KeysetList, ask
from apikeys.webhooks.deliveries import MOST_COUNTED
from apikeys.webhooks.models import WebhookEndpoint
from console.core import clock

# Each member of what is shown, or of what makes one, with the column that it is read from.
_OF_ENDPOINT = (
    "public_id", "url", "description", "environment", "enabled_events", "status", "paused_reason",
    "created_at", "api_version", "verification", "verified_at", "verification_method",
    "previous_secret_ends_at",
)  # fmt: skip
_OF_LANE = (
    "consecutive_failures", "last_success_at", "last_failure_at", "last_error", "breaker_until",
)  # fmt: skip
_COLUMNS = {
    **{name: f"endpoint.{name}" for name in _OF_ENDPOINT},
    **{name: f"lane.{name}" for name in _OF_LANE},
    "passed": "(SELECT passed FROM webhooks_endpointprobe WHERE endpoint_id = endpoint.id"
    " AND ended_at IS NOT NULL ORDER BY asked_at DESC LIMIT 1)",
    "pending": "(SELECT count(*) FROM (SELECT FROM webhooks_queueddelivery"
    " WHERE endpoint_id = endpoint.id LIMIT 10001) AS waiting)",
}
# One more than is counted says "more than"; the number stands in the statement.
assert MOST_COUNTED + 1 == 10_001
_RESULTS = {None: None, True: "passed", False: "failed"}
_TABLES = """
    webhooks_webhookendpoint AS endpoint
    JOIN webhooks_deliverylane AS lane ON lane.endpoint_id = endpoint.id
"""
_LIST = KeysetList(
    place="endpoint",
    columns=list(_COLUMNS.values()),
    tables=_TABLES,
    where="endpoint.business_id = $4 AND endpoint.environment = $5 AND endpoint.removed_at IS NULL"
    " AND ($6::text[] = '{}' OR endpoint.status = ANY ($6::text[]))",
)
# Only names of our own stand in these statements; values are always parameters.
_ONE = f"""
SELECT {", ".join(_COLUMNS.values())} FROM {_TABLES}
WHERE endpoint.removed_at IS NULL AND endpoint.business_id = $1 AND endpoint.public_id = $2
"""  # noqa: S608


def list_endpoints(call: Call) -> ApiAnswer:
    """List webhook endpoints, the newest first."""
    statuses = sorted(set(call.parameters["status"]))
    asked = window(call, *statuses)
    rows = _LIST.rows(asked, call.business.pk, call.environment, statuses)
    return page(rows, asked, _present)


def read(call: Call) -> ApiAnswer:
    """Read one webhook endpoint."""
    return ApiAnswer(_one(call, call.names["id"]))


def show(call: Call, endpoint: WebhookEndpoint) -> dict[str, Any]:
    """Return an endpoint as this transaction has it."""
    return _one(call, endpoint.public_id)


def find(call: Call, public_id: str) -> WebhookEndpoint:
    """Return the caller's own endpoint of that id, or refuse as reading it would."""
    rows = WebhookEndpoint.objects.standing().select_related("business")
    own = rows.filter(public_id=public_id, business=call.business.pk).first()
    if own is None:
        raise ApiProblem("NOT_FOUND")
    require_environment(call, own.environment)
    return own


def _one(call: Call, public_id: str) -> dict[str, Any]:
    rows = ask(_ONE, call.business.pk, public_id)
    if not rows:
        raise ApiProblem("NOT_FOUND")
    shown = _present(*rows[0])
    require_environment(call, shown["environment"])
    return shown


def _present(*values: Any) -> dict[str, Any]:
    of = dict(zip(_COLUMNS, values, strict=True))
    return {
        "id": of["public_id"],
        "object": "webhook_endpoint",
        "url": of["url"],
        "description": of["description"],
        "environment": of["environment"],
        "enabled_events": of["enabled_events"],
        "status": of["status"],
        "consecutive_failures": of["consecutive_failures"],
        "last_success_at": moment(of["last_success_at"]),
        "last_failure_at": moment(of["last_failure_at"]),
        "last_error": of["last_error"] or None,
        "created_at": moment(of["created_at"]),
        "api_version": of["api_version"],
        "verification": {
            "status": of["verification"],
            "verified_at": moment(of["verified_at"]),
            "method": of["verification_method"] or None,
            "last_result": _RESULTS[of["passed"]],
        },
        "paused_reason": of["paused_reason"] or None,
        "breaker": _breaker(of["breaker_until"]),
        "previous_secret_expires_at": moment(of["previous_secret_ends_at"]),
        "pending_deliveries": of["pending"],
    }


def moment(at: datetime | None) -> str | None:
    """Write a moment as every answer does; none is null."""
    return None if at is None else clock.iso(at)


def _breaker(until: datetime | None) -> dict[str, Any]:
    if until is None:
        return {"state": "closed", "next_probe_at": None}
    state = "open" if until > clock.now() else "half_open"
    return {"state": state, "next_probe_at": moment(until)}
