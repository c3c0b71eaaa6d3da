"""Checkout of the demo: sites on localhost may show payments, and sessions of each kind."""

from datetime import timedelta

from api.checkout import checkout_settings, domains
from api.payments import checkout_payments, checkout_sessions
from api.payments.models import CheckoutSession, Deposit, PaymentMethod
from apikeys.lifecycle import Environment
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.core import ids


def load(business: Business, *, by: User) -> None:
    """Allow the demo's shop, open the sessions and pay them. Not safe to repeat."""
    checkout_settings.allow_localhost(business, allowed=True, by=by)
    domains.add(business, "shop.kettle.example", by=by)
    _open(business, "Espresso grinder, with delivery", paid=[20_000_00])
    _open(business, "Two crates of coffee", paid=[18_000_00, 32_500_00])
    late = _open(business, "Spare parts for a counter", paid=[30_000_00])
    checkout_sessions.expire(late, by=SYSTEM)
    pay(late, 20_500_00)


def open_session(business: Business, description: str, amount: int) -> CheckoutSession:
    """Return a new session over an amount of NGN, in minor units."""
    session = CheckoutSession(
        business=business,
        environment=Environment.SANDBOX,
        method=PaymentMethod.BANK_TRANSFER,
        amount=amount,
        currency="NGN",
        description=description,
        success_url="https://kettle.example/thanks",
        cancel_url="https://kettle.example/basket",
    )
    return checkout_sessions.create(session, timedelta(days=7), by=SYSTEM)


def pay(session: CheckoutSession, amount: int) -> None:
    """Simulate a payment by the session's method."""
    payment = Deposit(amount=amount, provider_reference=ids.new("sbx"))
    checkout_payments.receive(session, payment, by=SYSTEM)


def _open(business: Business, description: str, *, paid: list[int]) -> CheckoutSession:
    """Return a new session over 50,500.00 NGN, with these payments."""
    session = open_session(business, description, 50_500_00)
    for amount in paid:
        pay(session, amount)
    return session
