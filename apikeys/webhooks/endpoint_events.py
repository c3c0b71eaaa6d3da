"""Write news of an endpoint in the audit log, and tell the others: one way for every verb."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.actors import Actor
from console.audit import log as audit
from console.events import outbox as events

NOTHING: Mapping[str, str] = MappingProxyType({})


def announce(
    endpoint: WebhookEndpoint,
    code: str,
    *,
    act: str = "",
    by: Actor,
    news: Mapping[str, str] = NOTHING,
    **details: Any,
) -> None:
    """Record and publish `code`. `news` goes to both, `details` to the log alone.

    `act` is the audit code of a verb that shares its event with another.
    """
    told: dict[str, Any] = {"environment": endpoint.environment, **news}
    audit.record(act or code, endpoint, by=by, business=endpoint.business, **told, **details)
    events.publish(code, endpoint, business=endpoint.business.public_id, **told)
