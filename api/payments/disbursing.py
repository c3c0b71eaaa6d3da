"""Disbursements, the payments from a balance: reserve, instruct, and complete or fail.

Creating one reserves the money. The sandbox's provider decides at once or makes it wait; in live a
worker asks the provider after the commit. If completed, the money leaves the balance; if failed, it
is available again. Completing can also add money in another currency.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from django.db import transaction

from api.payments import breaks, instruction_queue, ledger, limits, scoping
from api.payments.lifecycle import DISBURSEMENT_LIFECYCLE, DisbursementStatus
from api.payments.models import Account, Disbursement
from api.payments.models.disbursement import BLOCKED
from api.providers.interface import ProviderOutcome
from api.providers.simulated import provider_for
from apikeys.lifecycle import Environment
from console.accounts.actors import SYSTEM, Actor
from console.core import clock
from console.core.money import Money
from console.events import jobs

DisbursementT = TypeVar("DisbursementT", bound=Disbursement)
# Suffix of a new disbursement's event; later events use the new status.
CREATED = "created"
_REFUSED = (ProviderOutcome.FAILED, ProviderOutcome.BLOCKED)


class Disbursing(Generic[DisbursementT]):
    """Functions of one kind of disbursement.

    Audit entries and events are named by its `word` and what happened: `payout.created`,
    `payout.failed`. `work` is what live's provider must do; without it, there is none. `before`
    runs in the transaction that creates one, and can refuse it. `effect` makes further changes,
    given what happened.
    """

    def __init__(
        self,
        model: type[DisbursementT],
        word: str,
        *,
        work: str = "",
        before: Callable[[DisbursementT], None] | None = None,
        effect: Callable[[DisbursementT, str], None] | None = None,
    ) -> None:
        self.model = model
        self.word = word
        self._work = work
        self._before = before
        self._effect = effect
        self.job = f"{word}.settle_due"

    @transaction.atomic(savepoint=False)
    def create(self, row: DisbursementT, *, tries: int, by: Actor) -> DisbursementT:
        """Reserve the money and instruct the provider. `tries` counts attempts with its key."""
        if self._before is not None:
            self._before(row)
        if row.environment == Environment.LIVE:
            return self._create_in_live(row, by=by)
        provider = provider_for(row.environment)
        names = {party["name"] for party in row.parties}
        outcome = provider.instruct(row.money, names, tries=tries)
        row.created_at = clock.now()
        row.settles_at = _due(row, outcome, provider.wait)
        self._reserve(row, by=by)
        if outcome in _REFUSED:
            blocked = outcome is ProviderOutcome.BLOCKED
            self._move(row, DisbursementStatus.FAILED, blocked=blocked, by=by)
        elif row.settles_at is None:
            self._move(row, DisbursementStatus.COMPLETED, by=by)
        elif row.settles_at - row.created_at <= provider.wait:
            jobs.wake_on_commit(self.job, after=provider.wait)
        return row

    def _create_in_live(self, row: DisbursementT, *, by: Actor) -> DisbursementT:
        """Reserve the money and queue the instruction. Raises NoProvider, BreakOpen, OverLimit."""
        breaks.require_none(row.business_id, row.pays.currency)
        row.created_at = clock.now()
        self._reserve(row, by=by)
        body = {
            "amount": row.pays.decimal(),
            "currency": row.pays.currency,
            "reference": row.reference,
            "details": row.instructed,
        }
        later = row.not_before
        at = later if later is not None and later > row.created_at else None
        cents = 0
        if row.limited:
            cents = limits.count(row.business, row.pays, row.limited, row.created_at)
        instruction_queue.queue(
            row, self.word, self._work, body, at=at, euro_cents=cents, parties=row.parties
        )
        return row

    def _reserve(self, row: DisbursementT, *, by: Actor) -> None:
        _lock_balances(row)
        source, waiting, _ = row.route
        _post(row, row.pays, source, waiting)
        row.save(force_insert=True)
        self._follow(row, CREATED, by)

    @transaction.atomic
    def book(self, row: DisbursementT, *, by: Actor) -> DisbursementT:
        """Book one that live's provider has executed by itself. Raises InsufficientBalance."""
        row.created_at = clock.now()
        self._reserve(row, by=by)
        self._move(row, DisbursementStatus.COMPLETED, by=by)
        return row

    def finish(
        self, public_id: str, to: DisbursementStatus, *, blocked: bool = False, by: Actor
    ) -> None:
        """Complete or fail a pending one of live, as its provider or, if `blocked`, we say."""
        row = scoping.locked(self.model._default_manager.get(public_id=public_id))
        _lock_balances(row)
        self._move(row, to, blocked=blocked, by=by)

    def give_back(self, public_id: str) -> None:
        """Return the reserved money of a blocked one to its balance."""
        row = scoping.locked(self.model._default_manager.get(public_id=public_id))
        source, waiting, _ = row.route
        _post(row, row.pays, waiting, source)

    def settle_due(self, business_pk: int | None = None) -> None:
        """Complete those that are due, for one business or for all."""
        due = self.model._default_manager.filter(
            status=DisbursementStatus.PENDING, settles_at__lte=clock.now()
        )
        if business_pk is not None:
            due = due.filter(business=business_pk)
        for row in due.order_by("pk").iterator():
            self._settle(row)

    @transaction.atomic
    def _settle(self, row: DisbursementT) -> None:
        """Complete one that is due, unless another process did so meanwhile."""
        row = scoping.locked(row)
        if row.status == DisbursementStatus.PENDING:
            # The currency of the proceeds may have been ended meanwhile.
            held = _lock_balances(row)
            completes = row.proceeds is None or row.proceeds.currency in held
            to = DisbursementStatus.COMPLETED if completes else DisbursementStatus.FAILED
            self._move(row, to, by=SYSTEM)

    def _move(
        self, row: DisbursementT, to: DisbursementStatus, *, blocked: bool = False, by: Actor
    ) -> None:
        """Change the status, and release or return the reserved money, which stays if `blocked`."""
        DISBURSEMENT_LIFECYCLE.check(row.status, to)
        failed = to == DisbursementStatus.FAILED
        row.status = to
        row.failure_code = (BLOCKED if blocked else row.FAILURE) if failed else ""
        row.completed_at = None if failed else clock.now()
        row.save(update_fields=["status", "failure_code", "completed_at"])
        source, waiting, target = row.route
        if not blocked:
            _post(row, row.pays, waiting, source if failed else target)
        if row.proceeds is not None and not failed:
            _post(row, row.proceeds, Account.EXTERNAL, Account.AVAILABLE)
        self._follow(row, str(to), by)

    def _follow(self, row: DisbursementT, to: str, by: Actor) -> None:
        """Run the kind's effect for a new disbursement or status, and publish the event."""
        if self._effect is not None:
            self._effect(row, to)
        scoping.announce(row, f"{self.word}.{to}", by=by)


def _lock_balances(row: Disbursement) -> set[str]:
    """Lock both balances of one that has two, to avoid deadlocks. Posting locks a single balance.

    Returns the currencies of the balances found.
    """
    if row.proceeds is None:
        return set()
    both = [row.pays.currency, row.proceeds.currency]
    return ledger.lock(row.business, row.environment, both)


def _due(row: Disbursement, outcome: ProviderOutcome, wait: timedelta) -> datetime | None:
    """Return when a new one completes, or None if it does not wait."""
    if outcome in _REFUSED:
        return None
    moments = [row.created_at + wait] if outcome is ProviderOutcome.WAITS else []
    if row.not_before is not None and row.not_before > row.created_at:
        moments.append(row.not_before)
    return max(moments, default=None)


def _post(row: Disbursement, money: Money, leaves: Account, enters: Account) -> None:
    ledger.post(row.business, row.environment, money, (leaves, enters), row.TYPE, row.public_id)
