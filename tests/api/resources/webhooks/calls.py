"""Calls about webhook endpoints."""

from tests.api.asking import BY_NAME, EXAMPLES

PATH = "/webhook-endpoints"
CREATE = BY_NAME["webhook_endpoints.create"]
EXAMPLE = EXAMPLES["webhook_endpoints.create"]
SPECIFIED = {
    "id", "object", "url", "description", "environment", "enabled_events", "status",
    "consecutive_failures", "last_success_at", "last_failure_at", "last_error", "created_at",
}  # fmt: skip
ADDED = {
    "api_version", "verification", "paused_reason", "breaker", "previous_secret_expires_at",
    "pending_deliveries",
}  # fmt: skip


def create(client, *, key="", **changes):
    return client.ask(CREATE, PATH, client.body_of(CREATE) | changes, key=key)


def change(client, endpoint, **changes):
    return client.do("webhook_endpoints.change", endpoint["id"], changes)


def happen(client, count=1):
    """Activate virtual accounts, each of which causes an event."""
    for _ in range(count):
        client.do("virtual_accounts.issue", client.id_in("/virtual-accounts"))
