"""Let live payments wait until their parties are compared with sanctions lists.

In the transaction that makes the payment. A worker compares after the commit:
`api.payments.screenings`.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet

from api.payments.lifecycle import OPEN_SCREENING, ScreeningStatus
from api.payments.models import PaymentScreening
from api.payments.models.owned_object import OwnedObject
from console.core import clock
from console.events import outbox as events

# If the worker that was asked dies, another one is asked after this time.
LEASE = timedelta(minutes=2)
# Those in which the money may not move on.
_STOPS = (ScreeningStatus.WAITING, *OPEN_SCREENING, ScreeningStatus.BLOCKED)


def queue(
    row: OwnedObject,
    kind: str,
    parties: Sequence[dict[str, str]],
    amount: str,
    *,
    at: datetime | None = None,
) -> None:
    """Let a new row wait until its parties are compared, now or later."""
    now = clock.now()
    screening = PaymentScreening.objects.create(
        object_id=row.public_id,
        kind=kind,
        business=row.business,
        amount=amount,
        parties=list(parties),
        created_at=now,
        ask_at=at or now + LEASE,
    )
    if at is None:
        events.publish("payment_screening.due", screening)


def stopped() -> QuerySet[PaymentScreening]:
    """Return those whose money may not move on."""
    return PaymentScreening.objects.filter(status__in=_STOPS)
