"""Queue instructions for live's providers, in the transaction that makes their objects.

A worker sends them after the commit: `api.payments.instructions`. One that names people or
companies is sent when they are screened. No provider is called inside a transaction.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from api.payments import scoping, screening_queue
from api.payments.lifecycle import INSTRUCTION_LIFECYCLE, InstructionStatus
from api.payments.models import CARD, STATUS, Card, ProviderInstruction, VirtualAccount
from api.payments.models.owned_object import OwnedObject
from api.payments.screening_queue import LEASE
from api.providers import connected
from apikeys.lifecycle import Environment
from console.core import clock
from console.events import outbox as events


def queue(
    row: OwnedObject,
    kind: str,
    work: str,
    body: dict[str, Any],
    *,
    at: datetime | None = None,
    euro_cents: int = 0,
    parties: Sequence[dict[str, str]] = (),
) -> None:
    """Store what a provider of this work shall do for a new row, now or later.

    `euro_cents` is what it counts against limits, and `parties` whom it names. Raises NoProvider if
    none is connected.
    """
    provider = connected.provider_for_work(work)
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
        ask_at=None if parties else at or now + LEASE,
    )
    if parties:
        screening_queue.queue(row, kind, parties, _amount(body), at=at)
    elif at is None:
        events.publish("instruction.due", instruction)


def note_issued(card: Card, body: dict[str, Any]) -> None:
    """Store that live's issuer has issued a card, so that its events about it are accepted."""
    queue(card, CARD, "cards", body, at=card.created_at)
    row = scoping.locked(ProviderInstruction.objects.get(public_id=card.public_id))
    INSTRUCTION_LIFECYCLE.check(row.status, InstructionStatus.COMPLETED)
    row.status, row.ask_at, row.ended_at = InstructionStatus.COMPLETED, None, clock.now()
    row.save()


def tell_status(row: Card | VirtualAccount) -> None:
    """Let the provider of a locked card or account hear of its new status. In live only.

    Changes of one object carry a growing number, because they may arrive in any order.
    """
    if row.environment != Environment.LIVE:
        return
    earlier = ProviderInstruction.objects.filter(public_id__startswith=f"{row.public_id}.")
    made = ProviderInstruction.objects.get(public_id=row.public_id)
    number, now = earlier.count() + 1, clock.now()
    instruction = ProviderInstruction.objects.create(
        public_id=f"{row.public_id}.{number}",
        business=row.business,
        environment=row.environment,
        provider=made.provider,
        kind=STATUS,
        body={
            "environment": row.environment,
            "business": row.business.public_id,
            "object": row.public_id,
            "status": row.status,
            "number": number,
        },
        created_at=now,
        ask_at=now + LEASE,
    )
    events.publish("instruction.due", instruction)


def send_now(public_id: str) -> None:
    """Let a worker send an instruction that was held until its parties were screened."""
    instruction = scoping.locked(ProviderInstruction.objects.get(public_id=public_id))
    instruction.ask_at = clock.now() + LEASE
    instruction.save(update_fields=["ask_at"])
    events.publish("instruction.due", instruction)


def _amount(body: dict[str, Any]) -> str:
    return f"{body['amount']} {body['currency']}" if "amount" in body else ""
