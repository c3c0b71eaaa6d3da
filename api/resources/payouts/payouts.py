"""Create and settle payouts."""

from typing import Any

from django.db import transaction

from api.providers import sandbox
from api.providers.sandbox import ProviderOutcome
from api.resources.balances import moving
from api.resources.payouts.lifecycle import PAYOUT_LIFECYCLE, PayoutStatus
from api.resources.payouts.models import Payout
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business
from console.audit import log as audit
from console.core import clock
from console.core.money import Money
from console.events import outbox as events

_REASON = "rejected_by_bank"


@transaction.atomic(savepoint=False)
def create(
    business: Business,
    environment: str,
    money: Money,
    details: dict[str, Any],
    *,
    tries: int,
    by: Actor,
) -> Payout:
    """Reserve the money and instruct the provider, who says at once what becomes of it, or waits.

    `details` are the bank account, the reference and the metadata.
    """
    outcome = sandbox.outcome(money, tries=tries)
    moving.move(business, environment, money, available=-1, reserved=1)
    now = clock.now()
    payout = Payout.objects.create(
        business=business,
        environment=environment,
        amount=money.minor,
        currency=money.currency,
        created_at=now,
        settles_at=now + sandbox.WAIT if outcome is ProviderOutcome.WAITS else None,
        **details,
    )
    _announce(payout, "payout.created", by=by, amount=money.decimal(), currency=money.currency)
    if outcome is ProviderOutcome.DONE:
        move(payout, PayoutStatus.COMPLETED, by=by)
    elif outcome is ProviderOutcome.FAILED:
        move(payout, PayoutStatus.FAILED, by=by)
    return payout


def settle_due(business_pk: int | None = None) -> None:
    """Complete the payouts whose time has come, of one business or of all."""
    due = Payout.objects.filter(status=PayoutStatus.PENDING, settles_at__lte=clock.now())
    if business_pk is not None:
        due = due.filter(business=business_pk)
    for payout in due.order_by("pk").iterator():
        settle(payout, by=SYSTEM)


@transaction.atomic
def settle(payout: Payout, *, by: Actor) -> Payout:
    """Complete a payout that has waited long enough. Twice is once."""
    rows = Payout.objects.select_for_update(no_key=True, of=("self",))
    payout = rows.select_related("business").get(pk=payout.pk)
    due = payout.settles_at is not None and payout.settles_at <= clock.now()
    if due and payout.status == PayoutStatus.PENDING:
        move(payout, PayoutStatus.COMPLETED, by=by)
    return payout


def move(payout: Payout, to: PayoutStatus, *, by: Actor) -> Payout:
    """Change the status, let the reserved money go or bring it back, and tell the others."""
    PAYOUT_LIFECYCLE.check(payout.status, to)
    payout.status = to
    payout.failure_reason = _REASON if to == PayoutStatus.FAILED else ""
    payout.save(update_fields=["status", "failure_reason"])
    back = 1 if to == PayoutStatus.FAILED else 0
    moving.move(payout.business, payout.environment, payout.money, available=back, reserved=-1)
    _announce(payout, f"payout.{to}", by=by)
    return payout


def _announce(payout: Payout, code: str, *, by: Actor, **details: Any) -> None:
    details |= {"environment": payout.environment}
    audit.record(code, payout, by=by, business=payout.business, **details)
    events.publish(code, payout, business=payout.business.public_id, environment=payout.environment)
