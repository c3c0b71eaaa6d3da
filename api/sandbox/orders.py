"""Create orders, each with the checkout session that it is paid by."""

from django.db import transaction

from api.sandbox import checkout_sessions, scoping
from api.sandbox.models import CheckoutSession, Order, PaymentMethod
from console.accounts.actors import Actor


@transaction.atomic
def create(order: Order, *, by: Actor) -> Order:
    """Create an order and open its session, which lasts as long as any can."""
    customer = order.customer
    names = (customer.get("first_name"), customer.get("last_name"))
    payer = {
        "name": " ".join(name for name in names if name),
        "email": customer.get("email"),
        "phone": customer.get("phone_number"),
    }
    session = CheckoutSession(
        business=order.business,
        environment=order.environment,
        method=PaymentMethod.BANK_TRANSFER,
        amount=order.amount,
        currency=order.currency,
        reference=order.reference,
        description=order.description,
        customer={name: value for name, value in payer.items() if value},
    )
    order.session = checkout_sessions.create(session, checkout_sessions.LONGEST, by=by)
    return scoping.create(order, "order.created", by=by)
