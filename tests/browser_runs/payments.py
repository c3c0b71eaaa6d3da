"""Checkout sessions in every state, for the pages of the payment host."""

from datetime import timedelta
from typing import Any

from api.payments import checkout_payments, checkout_sessions
from api.payments.models import CheckoutSession, Deposit, PaymentMethod
from apikeys.lifecycle import Environment
from console.accounts.actors import SYSTEM
from console.core import ids
from tests.browser_runs.commits import committed
from tests.matrices.world import World


def a_session(world: World, *, lasts: int = 3600, **more: Any) -> CheckoutSession:
    session = CheckoutSession(
        business=world.ours,
        environment=Environment.SANDBOX,
        **{"method": PaymentMethod.BANK_TRANSFER, "currency": "NGN", "amount": 100_000} | more,
        description="Two espresso grinders",
        success_url="https://shop.example/thanks",
        cancel_url="https://shop.example/basket",
    )
    made: CheckoutSession = committed(
        checkout_sessions.create, session, timedelta(seconds=lasts), by=SYSTEM
    )
    return made


def pay(session: CheckoutSession, amount: int) -> None:
    payment = Deposit(amount=amount, provider_reference=ids.new("sbx"))
    committed(checkout_payments.receive, session, payment, by=SYSTEM)


def of_every_kind(world: World) -> dict[str, CheckoutSession]:
    """Return a session in each state and of each method."""
    asset: dict[str, Any] = {
        "method": PaymentMethod.CRYPTO,
        "currency": "USDC",
        "amount": 25_000_000,
    }
    found = {
        **{name: a_session(world) for name in ("open", "part", "paid", "over", "under")},
        **{name: a_session(world) for name in ("expired", "cancelled", "late")},
        "asset": a_session(world, **asset),
        "tag": a_session(world, method=PaymentMethod.SERVICE_TAG),
        "large": a_session(world, amount=9_007_199_254_740_991),
    }
    for name, amount in {"part": 40_000, "paid": 100_000, "over": 100_500, "under": 1}.items():
        pay(found[name], amount)
    for name in ("under", "expired", "late"):
        committed(checkout_sessions.expire, found[name], by=SYSTEM)
    committed(checkout_sessions.cancel, found["cancelled"], by=SYSTEM)
    pay(found["late"], 500)
    return found
