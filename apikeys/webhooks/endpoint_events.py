"""Record and publish the events of endpoints."""

from collections.abc import Mapping
from typing import Any

from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.actors import Actor
from console.audit import log as audit
from console.events import outbox as events


def announce(
    endpoint: WebhookEndpoint,
    code: str,
    *,
    act: str = "",
    by: Actor,
    news: Mapping[str, str] | None = None,
    **details: Any,
) -> None:
    """Record and publish `code`. `news` goes to the audit log and the event, `details` to the log.

    `act` is the audit code if several actions share an event.
    """
    told: dict[str, Any] = {"environment": endpoint.environment, **(news or {})}
    audit.record(act or code, endpoint, by=by, **told, **details)
    events.publish(code, endpoint, business=endpoint.business.public_id, **told)
