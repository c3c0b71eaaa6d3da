"""Breaks: differences between a provider and our ledger. An open one stops live payouts."""

from django.db import transaction

from api.payments import scoping
from api.payments.models import BreakKind, ProviderBreak
from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import ReasonMissing, Refused, WrongStatus
from console.core.text import says_something
from console.events import outbox as events


class BreakOpen(Refused):
    """Raised for live money out while the currency has an open break."""

    code = "PROVIDER_UNAVAILABLE"


@transaction.atomic
def found(
    business: Business,
    provider: str,
    kind: BreakKind,
    object_id: str,
    currency: str,
    says: str,
    *,
    by: Actor,
) -> ProviderBreak | None:
    """Store a break, unless the same one is open."""
    row = ProviderBreak(
        business=business,
        provider=provider,
        kind=kind,
        object_id=object_id,
        currency=currency,
        says=says,
        found_at=clock.now(),
    )
    ProviderBreak.objects.bulk_create([row], ignore_conflicts=True)
    kept = ProviderBreak.objects.filter(public_id=row.public_id).first()
    if kept is not None:
        audit.record("break.found", kept, by=by, business=business, after={"says": says})
        events.publish("break.found", kept, business=business.public_id)
    return kept


@transaction.atomic
def close(row: ProviderBreak, *, reason: str, by: User) -> None:
    """Close a break with what was found out."""
    access.require(by, Permission.OPERATE)
    if not says_something(reason):
        raise ReasonMissing("Say what the difference was, and what you did.")
    _close(row, reason.strip(), by=by)


@transaction.atomic
def close_by_statement(row: ProviderBreak, reason: str, *, by: Actor) -> None:
    """Close a break that a later statement no longer shows."""
    _close(row, reason, by=by)


def _close(row: ProviderBreak, reason: str, *, by: Actor) -> None:
    row = scoping.locked(row)
    if row.closed_at is not None:
        raise WrongStatus("This break is closed already.")
    row.closed_at, row.reason = clock.now(), reason
    row.closed_by = by if isinstance(by, User) else None
    row.save(update_fields=["closed_at", "closed_by", "reason"])
    audit.record("break.closed", row, by=by, business=row.business, reason=reason)
    events.publish("break.closed", row, business=row.business.public_id)


def require_none(business_pk: int, currency: str) -> None:
    """Refuse live money out in a currency with an open break."""
    if ProviderBreak.objects.filter(
        business=business_pk, currency=currency, closed_at=None
    ).exists():
        raise BreakOpen("We are comparing this balance with the provider’s. Try again later.")
