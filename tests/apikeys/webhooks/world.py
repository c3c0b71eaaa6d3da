"""Factories for endpoints and events."""

from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from apikeys.lifecycle import Environment
from apikeys.webhooks import endpoints, webhook_secrets
from apikeys.webhooks.dispatcher.records import Claimed, ReceiverAnswer
from apikeys.webhooks.dispatcher.sender import Clock, Sender
from apikeys.webhooks.lifecycle import Verification
from apikeys.webhooks.models import QueuedDelivery, WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.audit import log as audit
from console.core import clock
from console.events import public_kinds
from console.events.public_kinds import PublicData, PublicKind, Told
from tests import factories
from tests.apikeys.world import a_grant

KIND = "fact.told"


class Fact(PublicData):
    id: str
    object: str = "fact"
    text: str = ""


@contextmanager
def a_kind(name: str = KIND, source: str = "fact.happened"):
    """Register a public kind for tests: publish `fact.happened` with a business and a text."""
    kind = PublicKind(
        name=name,
        summary="A fact.",
        sample=Fact(id="fact_1"),
        sources={
            source: lambda event, subject: Told(
                business=subject.pk,
                resource_id=event.payload.get("resource", subject.public_id),
                data=Fact(id=subject.public_id, text=event.payload.get("text", "")),
                environments=tuple(event.payload.get("environments", ["sandbox"])),
            )
        },
    )
    public_kinds.register(kind)
    try:
        yield kind
    finally:
        public_kinds.forget(kind)


def an_endpoint(
    business: Business | None = None,
    *,
    environment: Environment = Environment.SANDBOX,
    url: str = "https://hooks.example.com/events",
    events: Sequence[str] = ("*",),
    verified: bool = False,
    **members: Any,
) -> tuple[WebhookEndpoint, str]:
    """Return an endpoint and its secret. Opens a sandbox for the business if it has none."""
    business = business or factories.a_business()
    if not business.grants.exists():
        a_grant(business)
    endpoint, secret = endpoints.create(
        business,
        environment,
        url=url,
        enabled_events=events,
        by=factories.owner_of(business),
        **members,
    )
    if verified:
        with transaction.atomic():
            WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
                verification=Verification.VERIFIED, verified_at=clock.now()
            )
            audit.record("webhook_endpoint.verified", endpoint, by=SYSTEM)
        endpoint.refresh_from_db()
    return endpoint, secret


def claimed(url: str, attempt: int = 1, **members: Any) -> Claimed:
    """Return a delivery as the dispatcher holds it while sending, without saving it."""
    endpoint = WebhookEndpoint(
        public_id="whe_1",
        url=url,
        secret=webhook_secrets.seal(webhook_secrets.make(), "whe_1"),
        **{"environment": "live", "verification": Verification.VERIFIED} | members,
    )
    queued = QueuedDelivery(
        public_id="whd_1", event_id="evt_1", kind="normal", attempts=attempt, endpoint=endpoint
    )
    return Claimed(queued, KIND, b"{}")


async def sent(claimed: Claimed, clock: Clock | None = None) -> ReceiverAnswer:
    """Send a delivery by a sender of its own."""
    sender = Sender(clock or Clock())
    try:
        return await sender.send(claimed)
    finally:
        await sender.close()
