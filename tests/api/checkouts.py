"""Checkout sessions of a business, opened and paid by the real verbs."""

from datetime import timedelta

from api.payments import checkout_payments, checkout_sessions
from api.payments.models import CheckoutSession, Deposit
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.core import ids


def a_session(business: Business, **more: object) -> CheckoutSession:
    """Open a session of 1,500.00 NGN for an hour."""
    fields = {"method": "bank_transfer", "amount": 150_000, "currency": "NGN"} | more
    session = CheckoutSession(business=business, environment="sandbox", **fields)
    return checkout_sessions.create(session, timedelta(hours=1), by=SYSTEM)


def pays(session: CheckoutSession, amount: int, **more: object) -> Deposit:
    """Pay an amount in minor units."""
    payment = Deposit(amount=amount, **{"provider_reference": ids.new("sbx")} | more)
    return checkout_payments.receive(session, payment, by=SYSTEM)


def a_paid_session(business: Business) -> CheckoutSession:
    session = a_session(business)
    pays(session, session.amount)
    session.refresh_from_db()
    return session
