"""Limits of live money out: of one payment, and of a calendar month in UTC, in euros.

The limit of the tier, or 1.2 times the declared volume of a month if that is less. Our staff may
set others: the account team lower ones, compliance higher ones, too. A payment counts from its
request; one that fails no longer does.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from api.payments.models import LiveLimit, LiveSpending
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts import access
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.money import Money
from console.core.refusals import Refused
from console.events import outbox as events
from console.publishing import in_use
from onboarding import application_facts
from onboarding.reference import bands
from onboarding.tiers import Tier

EURO = "EUR"
# Euro cents of a month and of a payment.
_OF_TIER: dict[str, tuple[int, int]] = {
    Tier.LOW: (1_000_000_00, 50_000_00),
    Tier.MEDIUM: (500_000_00, 25_000_00),
    Tier.HIGH: (100_000_00, 10_000_00),
}
_PERCENT_OF_DECLARED = 120
# Adds to the month only what its limit leaves, in one statement.
_COUNT = """
INSERT INTO sandbox_livespending AS known (business_id, month, euro_cents)
SELECT %(business)s, %(month)s, %(cents)s WHERE %(cents)s <= %(limit)s
ON CONFLICT (business_id, month) DO UPDATE SET euro_cents = known.euro_cents + %(cents)s
WHERE known.euro_cents + %(cents)s <= %(limit)s
"""


class OverLimit(Refused):
    """The payment exceeds a limit of the business. The text says what is left."""

    code = "over_limit"
    field = "amount"


@dataclass(frozen=True)
class LiveLimits:
    """The limits of a business, and `chosen`, the row of our staff that sets them, if any."""

    month: Money
    payment: Money
    chosen: LiveLimit | None = None


def of(business: Business) -> LiveLimits:
    """Return the limits of a business now."""
    chosen = LiveLimit.objects.filter(business=business, ended_at=None).first()
    if chosen is not None:
        month, payment = chosen.month_cents, chosen.payment_cents
    else:
        month, payment = _OF_TIER.get(_tier(business), _OF_TIER[Tier.HIGH])
        declared = _declared(business)
        if declared is not None:
            month = min(month, declared * _PERCENT_OF_DECLARED // 100)
        payment = min(payment, month)
    return LiveLimits(Money(month, EURO), Money(payment, EURO), chosen)


def spent(business: Business) -> Money:
    """Return what counts against the limit of this month."""
    found = LiveSpending.objects.filter(business=business, month=_month(clock.now())).first()
    return Money(found.euro_cents if found else 0, EURO)


def count(business: Business, total: Money, payments: Iterable[Money], at: datetime) -> int:
    """Count live money out and return its euro cents, or raise OverLimit and count nothing.

    `payments` are the single payments of the total.
    """
    limits = of(business)
    if max(map(_cents, payments)) > limits.payment.minor:
        raise OverLimit(f"You can pay at most {limits.payment}, or as much in {total.currency}.")
    cents = _cents(total)
    values: dict[str, Any] = {
        "business": business.pk,
        "month": _month(at),
        "cents": cents,
        "limit": limits.month.minor,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)
        if cursor.rowcount != 1:
            left = Money(max(0, limits.month.minor - spent(business).minor), EURO)
            raise OverLimit(f"This month you can still pay {left}, or as much in other currencies.")
    return cents


def give_back(business: Business, cents: int, at: datetime) -> None:
    """No longer count a payment of that time, which has failed."""
    counted = LiveSpending.objects.filter(business=business, month=_month(at))
    counted.update(euro_cents=F("euro_cents") - cents)


@transaction.atomic
def set_limits(
    business: Business, month: Money, payment: Money, *, reason: str, by: User
) -> LiveLimit:
    """Set limits in euros. Raising one needs compliance."""
    access.require_outsider(by, business)
    business = Business.objects.locked(business)
    now = of(business)
    raises = month.minor > now.month.minor or payment.minor > now.payment.minor
    if raises or not access.can(by, Permission.ACCOUNT_MANAGE):
        access.require(by, Permission.LIMIT_RAISE)
    at = clock.now()
    LiveLimit.objects.filter(business=business, ended_at=None).update(ended_at=at)
    row = LiveLimit.objects.create(
        business=business,
        month_cents=month.minor,
        payment_cents=payment.minor,
        reason=reason,
        set_by=by,
        set_at=at,
    )
    said = {"month": month.decimal(), "payment": payment.decimal()}
    before = {"month": now.month.decimal(), "payment": now.payment.decimal()}
    audit.record(
        "limit.set", row, by=by, business=business, before=before, after=said, reason=reason
    )
    events.publish("limit.set", row, business=business.public_id)
    return row


def _tier(business: Business) -> str:
    grant = Grant.objects.filter(business=business, environment=Environment.LIVE).first()
    return grant.tier if grant else ""


def _declared(business: Business) -> int | None:
    """Return the declared value of the twelfth month in euro cents, or None."""
    submission = application_facts.executed_submission(business)
    amount = submission.answers.get("vo_m12_value") if submission else None
    return _cents(Money(amount["minor"], amount["currency"])) if amount else None


def _cents(money: Money) -> int:
    return in_use.current(bands.RATES).euro_cents(money.minor, money.currency)


def _month(at: datetime) -> date:
    return at.astimezone(UTC).date().replace(day=1)
