"""Payments of checkout sessions: received once, counted, or held until the business decides.

Locks, in this order: the session, the payment's reference, the balances.
"""

from django.db import transaction

from api.payments import checkout_sessions, deposits, ledger, scoping
from api.payments.checkout_sessions import LARGEST, MOST_PARTS
from api.payments.lifecycle import DEPOSIT_LIFECYCLE, DepositStatus, DisbursementStatus
from api.payments.models import Account, CheckoutSession, Deposit, NotApplied, PaymentMethod
from console.accounts.actors import Actor
from console.accounts.lifecycle import Access
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Refused, WrongStatus


class NotReleased(Refused):
    """Service tags are shown, but move no money yet (specification 2)."""

    code = "out_of_range"
    reason = "not_released"


class PaymentsTooLarge(Refused):
    """The payments of a session would exceed what an event can say."""

    code = "out_of_range"
    field = "amount"


@transaction.atomic
def receive(
    session: CheckoutSession, payment: Deposit, *, ends_first: bool = False, by: Actor
) -> Deposit:
    """Book a payment of a session, or return the earlier one with its provider reference.

    The payment has an amount and a provider reference. Its currency is by default the session's.
    `ends_first` ends the session before the payment arrives. Raises NotReleased, PaymentsTooLarge,
    and WrongStatus if the reference belongs to something else.
    """
    payment.virtual_account = session.account
    session = scoping.locked(session)
    if session.method == PaymentMethod.SERVICE_TAG:
        raise NotReleased("Payments by service tag are not available yet.")
    payment.checkout_session, payment.business = session, session.business
    payment.environment, payment.source = session.environment, session.method
    payment.currency = payment.currency or session.currency
    now = clock.of_database()
    payment.created_at = payment.created_at or now
    payment.status = DepositStatus.HELD
    payment.not_applied = _why_not(session, payment)
    # Before any balance is locked, so that it waits for nobody who waits for this one.
    known = deposits.insert_once(payment)
    if known.public_id != payment.public_id:
        return _of_a_session(known)
    _lock_balances(session, known)
    checkout_sessions.bring_up_to_date(session, now)
    if ends_first and session.is_open:
        checkout_sessions.end(session, checkout_sessions.as_time_ends(session), by=by)
    deposits.post(known, Account.EXTERNAL, Account.PENDING)
    _follow(session, known, by=by)
    known.refresh_from_db(fields=["status", "settled_at", "is_applied", "not_applied"])
    return known


@transaction.atomic
def accept(payment: Deposit, *, by: Actor) -> Deposit:
    """Credit held money to the balance. The session stays as it is."""
    return _decide(payment, DepositStatus.SETTLED, by=by)


@transaction.atomic
def give_back(payment: Deposit, *, by: Actor) -> Deposit:
    """Return held money to the account it came from."""
    return _decide(payment, DepositStatus.RETURNED, by=by)


@transaction.atomic
def reverse(payment: Deposit, *, by: Actor) -> Deposit:
    """Take a payment back, as its provider did. An ended session stays as it is."""
    session, payment = _locked(payment)
    DEPOSIT_LIFECYCLE.check(payment.status, DepositStatus.REVERSED)
    settled = payment.status == DepositStatus.SETTLED
    if settled and payment.refunds.exclude(status=DisbursementStatus.FAILED).exists():
        raise WrongStatus("You have refunded this payment.", reason="payment_refunded")
    deposits.post(payment, Account.AVAILABLE if settled else Account.PENDING, Account.EXTERNAL)
    if payment.is_applied and session.is_open:
        session.received -= payment.amount
        session.save(update_fields=["received"])
    payment.status = DepositStatus.REVERSED
    payment.is_applied, payment.not_applied = False, NotApplied.REVERSED
    payment.save(update_fields=["status", "is_applied", "not_applied"])
    scoping.announce(payment, "deposit.reversed", by=by)
    return payment


def _why_not(session: CheckoutSession, payment: Deposit) -> NotApplied:
    """Return why the payment does not count yet; LATE until the session is brought up to date."""
    if payment.currency != session.currency:
        return NotApplied.WRONG_CURRENCY
    if session.business.status == Access.SUSPENDED:
        return NotApplied.SUSPENDED
    parts = session.payments.filter(currency=session.currency).values_list("amount", flat=True)
    counted = list(parts[:MOST_PARTS])
    if sum(counted) + payment.amount > LARGEST:
        raise PaymentsTooLarge("The payments of this session would exceed the largest amount.")
    if len(counted) == MOST_PARTS:
        return NotApplied.TOO_MANY_PARTS
    return NotApplied.CONFIRMING if payment.confirms_at else NotApplied.LATE


def _follow(session: CheckoutSession, payment: Deposit, *, by: Actor) -> None:
    """Count a new payment, or tell that it is held."""
    match payment.not_applied:
        case NotApplied.LATE:
            checkout_sessions.count(session, payment, by=by)
        case NotApplied.CONFIRMING:
            if session.is_open and checkout_sessions.is_first(session, payment):
                checkout_sessions.tell_first(session, by=by)
            else:
                # Its event follows when it is confirmed: it counts, or it is held.
                details = {"environment": payment.environment, **payment.audit_details()}
                audit.record("deposit.seen", payment, by=by, business=payment.business, **details)
        case reason:
            checkout_sessions.hold(payment, NotApplied(reason), by=by)


def _of_a_session(known: Deposit) -> Deposit:
    if known.checkout_session_id is None:
        raise WrongStatus(
            "This provider reference belongs to a deposit on a virtual account.",
            reason="reference_in_use",
        )
    return known


def _locked(payment: Deposit) -> tuple[CheckoutSession, Deposit]:
    """Return the session as it is now, and the payment, both locked."""
    assert payment.checkout_session is not None
    session = scoping.locked(payment.checkout_session)
    _lock_balances(session, payment)
    checkout_sessions.bring_up_to_date(session, clock.of_database())
    return session, scoping.locked(payment)


def _lock_balances(session: CheckoutSession, payment: Deposit) -> None:
    """Lock both balances of a payment in another currency. Posting locks a single balance."""
    if payment.currency != session.currency:
        both = {payment.currency, session.currency}
        ledger.lock(session.business, session.environment, both)


def _decide(payment: Deposit, to: DepositStatus, *, by: Actor) -> Deposit:
    _, payment = _locked(payment)
    confirms = payment.confirms_at is not None and payment.confirms_at > clock.of_database()
    if payment.is_applied or confirms:
        raise WrongStatus(
            "This payment counts towards the session, or may still do so. You can decide about"
            " money that is held.",
            reason="payment_not_held",
        )
    if payment.status == to:
        return payment
    DEPOSIT_LIFECYCLE.check(payment.status, to)
    if to == DepositStatus.SETTLED:
        checkout_sessions.credit(payment, by=by)
        return payment
    payment.status = to
    payment.save(update_fields=["status"])
    deposits.post(payment, Account.PENDING, Account.EXTERNAL)
    scoping.announce(payment, "deposit.returned", by=by)
    return payment
