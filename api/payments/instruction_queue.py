"""Queue instructions for live's providers, in the transaction that makes their objects.

A worker sends them after the commit: `api.payments.instructions`. No provider is called inside a
transaction.
"""

from datetime import datetime, timedelta
from typing import Any

from api.payments.models import ProviderInstruction
from api.payments.models.owned_object import OwnedObject
from api.providers import configured
from api.providers.interface import NoProvider
from console.core import clock
from console.events import outbox as events

# If the worker that was asked dies, another one is asked after this time.
LEASE = timedelta(minutes=2)


def queue(
    row: OwnedObject,
    kind: str,
    work: str,
    body: dict[str, Any],
    *,
    at: datetime | None = None,
    euro_cents: int = 0,
) -> None:
    """Store what a provider of this work shall do for a new row, now or later.

    `euro_cents` is what it counts against limits. Raises NoProvider if none is connected.
    """
    provider = configured.provider_of(work)
    if provider is None:
        raise NoProvider("No provider is connected.", reason="not_connected")
    now = clock.now()
    instruction = ProviderInstruction.objects.create(
        public_id=row.public_id,
        business=row.business,
        environment=row.environment,
        provider=provider.name,
        kind=kind,
        body={
            "kind": kind,
            "environment": row.environment,
            "business": row.business.public_id,
            "created_at": clock.iso(row.created_at),
            **body,
        },
        euro_cents=euro_cents,
        created_at=now,
        ask_at=at or now + LEASE,
    )
    if at is None:
        events.publish("instruction.due", instruction)
