"""Open, cancel and end checkout sessions (specification 3), each under its row's lock.

A session expires at its time, whoever looks first: a read, a payment, a cancellation or the job of
every minute. The database's clock decides.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from api.payments import deposits, scoping
from api.payments.currencies import require_held
from api.payments.lifecycle import (
    CHECKOUT_LIFECYCLE,
    CheckoutStatus,
    VirtualAccountStatus,
)
from api.payments.models import (
    AccountType,
    CheckoutSession,
    Deposit,
    NotApplied,
    PaymentMethod,
    VirtualAccount,
)
from api.payments.models.checkout import new_tag_payment_id
from api.providers import blockchains
from api.providers.simulated import provider_for
from console.accounts.actors import SYSTEM, Actor
from console.accounts.lifecycle import Access
from console.core import clock
from console.core.money import ASSETS
from console.core.refusals import Refused
from onboarding import application_facts

log = logging.getLogger(__name__)

SHORTEST, LONGEST, DEFAULT = timedelta(seconds=5), timedelta(days=7), timedelta(hours=1)
MOST_PARTS = 500
# Amounts in events are JSON numbers, which JavaScript reads exactly up to this.
LARGEST = 2**53 - 1


def accepts(method: str, currency: str) -> bool:
    """Tell whether payers can pay this currency by this method."""
    return method == PaymentMethod.SERVICE_TAG or (currency in ASSETS) == (
        method == PaymentMethod.CRYPTO
    )


@transaction.atomic
def create(session: CheckoutSession, lasts: timedelta, *, by: Actor) -> CheckoutSession:
    """Open a session with the account, address or tag to pay to. Raises CurrencyNotAvailable."""
    require_held(session.currency, session.business_id)
    session.created_at = clock.of_database()
    session.expires_at = session.created_at + lasts
    match session.method:
        case PaymentMethod.BANK_TRANSFER:
            session.account = _temporary_account(session)
        case PaymentMethod.CRYPTO:
            provider = provider_for(session.environment)
            session.address = provider.new_address(
                blockchains.networks_of(session.currency)[0], session.public_id
            )
        case PaymentMethod.SERVICE_TAG:
            session.tag_payment_id = new_tag_payment_id()
    return scoping.create(session, "checkout_session.created", by=by)


@transaction.atomic
def cancel(session: CheckoutSession, *, by: Actor) -> CheckoutSession:
    """Cancel an open session; the money that arrived is held. A cancelled one stays cancelled."""
    session = current(session)
    if session.status != CheckoutStatus.CANCELLED:
        CHECKOUT_LIFECYCLE.check(session.status, CheckoutStatus.CANCELLED)
        end(session, CheckoutStatus.CANCELLED, by=by)
    return session


@transaction.atomic
def expire(session: CheckoutSession, *, by: Actor) -> CheckoutSession:
    """End an open session now, as if its time were over. An ended one stays as it is."""
    session = current(session)
    if session.is_open:
        end(session, as_time_ends(session), by=by)
    return session


def settle_due(business_pk: int | None = None) -> None:
    """Bring sessions up to date, of one business or of all."""
    sessions = CheckoutSession.objects.all()
    if business_pk is not None:
        sessions = sessions.filter(business=business_pk)
    now = clock.of_database()
    confirmed = Deposit.objects.filter(not_applied=NotApplied.CONFIRMING, confirms_at__lte=now)
    awaiting = sessions.filter(status=CheckoutStatus.AWAITING_PAYMENT, expires_at__lte=now)
    paid = sessions.filter(public_id__in=confirmed.values("checkout_session"))
    for due in (awaiting, paid):
        for session in due.order_by("pk"):
            settle(session)


def settle(session: CheckoutSession) -> None:
    """Bring one session up to date. Safe to repeat.

    While its balance is stopped it stays as it is, so that it holds up no other session and no
    page. Operators are notified of the balance, and the job tries again each minute.
    """
    try:
        with transaction.atomic():
            current(session)
    except Refused as refused:
        log.warning("not_settled", extra={"session": session.public_id, "why": refused.code})


def current(session: CheckoutSession) -> CheckoutSession:
    """Return the session as it is now, locked until the transaction ends."""
    session = scoping.locked(session)
    bring_up_to_date(session, clock.of_database())
    return session


def bring_up_to_date(session: CheckoutSession, now: datetime) -> None:
    """Confirm payments and end the session, in the order of their times.

    Late processing changes nothing: a payment that was confirmed in time counts.
    """
    confirmed = session.payments.filter(
        not_applied=NotApplied.CONFIRMING, confirms_at__lte=now
    ).order_by("confirms_at", "pk")
    for payment in confirmed.select_related("business"):
        assert payment.confirms_at is not None
        if session.is_open and payment.confirms_at > session.expires_at:
            end(session, as_time_ends(session), by=SYSTEM)
        if session.is_open and session.business.status == Access.SUSPENDED:
            hold(payment, NotApplied.SUSPENDED, by=SYSTEM)
        else:
            count(session, payment, by=SYSTEM)
    if session.is_open and now > session.expires_at:
        end(session, as_time_ends(session), by=SYSTEM)


def is_first(session: CheckoutSession, payment: Deposit) -> bool:
    """Tell whether it is the first money seen that may count."""
    seen = session.payments.filter(pk__lt=payment.pk, currency=session.currency)
    return not seen.exclude(not_applied=NotApplied.SUSPENDED).exists()


def count(session: CheckoutSession, payment: Deposit, *, by: Actor) -> None:
    """Count a held payment towards an open session, or hold it as late money."""
    if not session.is_open:
        hold(payment, NotApplied.LATE, by=by)
        return
    payment.is_applied, payment.not_applied = True, ""
    payment.save(update_fields=["is_applied", "not_applied"])
    session.received += payment.amount
    if session.outstanding:
        session.save(update_fields=["received"])
    if is_first(session, payment):
        # A payment that waited for confirmations was announced when it was seen.
        if payment.confirms_at is None:
            tell_first(session, by=by)
    elif session.outstanding:
        scoping.announce(session, "checkout_session.partially_paid", by=by)
    if not session.outstanding:
        session.deposit = payment
        end(session, CheckoutStatus.PAID, by=by)


def tell_first(session: CheckoutSession, *, by: Actor) -> None:
    """Announce that the first money was seen."""
    scoping.announce(session, "checkout_session.pending", by=by)


def hold(payment: Deposit, reason: NotApplied, *, by: Actor) -> None:
    """Keep a payment out of its session until the business decides, and announce it."""
    payment.is_applied, payment.not_applied = False, reason
    payment.save(update_fields=["is_applied", "not_applied"])
    scoping.announce(payment, "deposit.held", act="deposit.kept_back", by=by)


def end(session: CheckoutSession, to: CheckoutStatus, *, by: Actor) -> None:
    """End a locked, open session: close its account, and settle the money that counts.

    If it is cancelled, the money is held as late money instead, and counts as such alone.
    """
    session.status, session.ended_at = to, clock.of_database()
    if to == CheckoutStatus.CANCELLED:
        session.received = 0
    session.save(update_fields=["status", "ended_at", "received", "deposit"])
    if session.account_id is not None:
        VirtualAccount.objects.filter(pk=session.account_id).update(
            status=VirtualAccountStatus.CLOSED
        )
    scoping.announce(session, f"checkout_session.{to}", by=by)
    counted = session.payments.filter(is_applied=True).select_related("business")
    for payment in counted.order_by("pk"):
        if to == CheckoutStatus.CANCELLED:
            hold(payment, NotApplied.LATE, by=by)
        else:
            credit(payment, by=by)


def credit(payment: Deposit, *, by: Actor) -> None:
    """Add held money to the available balance."""
    deposits.settle(payment, act="deposit.credited", by=by)


def as_time_ends(session: CheckoutSession) -> CheckoutStatus:
    return CheckoutStatus.UNDERPAID if session.received else CheckoutStatus.EXPIRED


def _temporary_account(session: CheckoutSession) -> VirtualAccount:
    """Open the account of one session, in the name of the business."""
    account = VirtualAccount(
        business=session.business,
        environment=session.environment,
        account_type=AccountType.TEMPORARY,
        account_name=application_facts.legal_name(session.business),
        currency=session.currency,
        created_at=session.created_at,
    )
    account.save(force_insert=True)
    issued = provider_for(session.environment).issue_account(account.pk, account.currency)
    account.account_number, account.bank_name = issued.number, issued.bank
    account.status = VirtualAccountStatus.ACTIVE
    account.save(update_fields=["account_number", "bank_name", "status"])
    return account
