"""Nightly reconciliation: compare each balance with the sum of all its entries.

A match is recorded on the balance. A mismatch stops it until a later night finds a match; nothing
is repaired. One statement reads balances and entries from the same snapshot, so concurrent
movements cause no mismatch, and nothing is locked.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from api.payments.models import Balance
from api.providers import configured
from apikeys.lifecycle import Environment
from console.accounts.actors import Actor
from console.audit import log as audit
from console.backups import verifications
from console.core import clock
from console.events import outbox as events
from console.governance.health_notices import HealthCheck

_BATCH = 500
# Also check each entry's recorded running total.
_COMPARE = """
WITH entry AS (
    SELECT balance_id, amount, from_account, to_account, total_after,
        sum(amount * ((from_account = 'external')::int - (to_account = 'external')::int))
            OVER (PARTITION BY balance_id ORDER BY id) AS total
    FROM sandbox_ledgerentry WHERE balance_id = ANY(%(balances)s)
), summed AS (
    SELECT balance_id, bool_and(total = total_after) AS runs_on,
        sum(amount * ((to_account = 'available')::int - (from_account = 'available')::int))
            AS available,
        sum(amount * ((to_account = 'pending')::int - (from_account = 'pending')::int)) AS pending,
        sum(amount * ((to_account = 'reserved')::int - (from_account = 'reserved')::int))
            AS reserved
    FROM entry GROUP BY balance_id
)
SELECT id, runs_on IS NOT FALSE AND balance.available = coalesce(summed.available, 0)
    AND balance.pending = coalesce(summed.pending, 0)
    AND balance.reserved = coalesce(summed.reserved, 0)
FROM sandbox_balance AS balance LEFT JOIN summed ON balance_id = id
WHERE id = ANY(%(balances)s)
"""


def reconcile(*, by: Actor) -> None:
    """Compare every balance that was not reconciled today with its entries."""
    midnight = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    due = Balance.objects.filter(
        Q(last_reconciled_at=None) | Q(last_reconciled_at__lt=midnight)
    ).order_by("pk")
    keys = list(due.values_list("pk", flat=True))
    for first in range(0, len(keys), _BATCH):
        _compare(keys[first : first + _BATCH], by=by)


def mismatches(tell: verifications.ProgressTeller) -> Iterator[str]:
    """Compare every balance with its entries, and return a sentence about each mismatch."""
    keys = list(Balance.objects.order_by("pk").values_list("pk", flat=True))
    batches = [keys[first : first + _BATCH] for first in range(0, len(keys), _BATCH)]
    for batch in verifications.counted(batches, f"Batches of {_BATCH} balances", tell):
        wrong = [key for key, right in _agreement(batch).items() if not right]
        for balance in Balance.objects.filter(pk__in=wrong).order_by("pk"):
            yield f"The balance {balance.public_id} does not match its ledger."


def _agreement(keys: Sequence[int]) -> dict[int, bool]:
    """Return whether each balance matches its entries, by key."""
    with connection.cursor() as cursor:
        cursor.execute(_COMPARE, {"balances": list(keys)})
        return dict(cursor.fetchall())


def _compare(keys: Sequence[int], *, by: Actor) -> None:
    now, agrees = clock.now(), _agreement(keys)
    proven = [key for key, right in agrees.items() if right]
    with_provider = Q(environment=Environment.LIVE) if configured.providers() else Q(pk=None)
    # Those of live are compared with their providers' statements, too.
    Balance.objects.filter(pk__in=proven).exclude(with_provider).update(last_reconciled_at=now)
    for balance in Balance.objects.filter(pk__in=keys).select_related("business"):
        if agrees[balance.pk] != (balance.stopped_at is None):
            _stop(balance, None if agrees[balance.pk] else now, by=by)


@transaction.atomic
def _stop(balance: Balance, at: datetime | None, *, by: Actor) -> None:
    """Stop or release a balance."""
    was = Balance.objects.filter(pk=balance.pk, stopped_at=balance.stopped_at)
    if was.update(stopped_at=at):
        audit.record("balance.stopped" if at else "balance.released", balance, by=by)
        events.publish(
            "balance.stopped" if at else "balance.released",
            balance,
            business=balance.business.public_id,
        )


def concerns() -> list[str]:
    """Describe the stopped balances."""
    stopped = Balance.objects.filter(stopped_at__isnull=False).select_related("business")
    return [
        _(
            "The %(currency)s balance %(id)s of %(business)s, %(environment)s, has not matched "
            "its ledger since %(day)s. We have stopped it."
        )
        % {
            "currency": one.currency,
            "id": one.public_id,
            "business": one.business.name,
            "environment": one.environment,
            "day": f"{one.stopped_at:%d %B %Y}",
        }
        for one in stopped.order_by("pk")
    ]


def health() -> HealthCheck:
    """Return the result of the last reconciliation."""
    last = Balance.objects.aggregate(at=Max("last_reconciled_at"))["at"]
    stopped = Balance.objects.filter(stopped_at__isnull=False).count()
    said = _("%(number)s balances are stopped.") % {"number": stopped}
    said = said if stopped else _("All balances match their entries.")
    return HealthCheck(_("The ledger"), said if last else "", at=last)
