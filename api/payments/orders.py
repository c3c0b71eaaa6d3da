"""Create orders, each with the checkout session that it is paid by."""

from zlib import crc32

from django.db import transaction

from api.payments import checkout_sessions, scoping
from api.payments.models import CheckoutSession, Order, PaymentMethod
from console.accounts.actors import Actor
from console.core.refusals import Refused
from console.events import work_claims

_ASKED = ("amount", "currency", "description", "customer")


class ReferenceUsed(Refused):
    """Raised when another order of the business has this reference."""

    code = "IDEMPOTENCY_KEY_REUSED"
    field = "reference"
    reason = "reference_used"


@transaction.atomic
def create(order: Order, *, by: Actor) -> Order:
    """Create an order and open its session, which lasts as long as any can.

    The same order again is the first one. Raises ReferenceUsed for another with its reference.
    """
    owner = f"{order.business_id} {order.environment}"
    work_claims.lock(work_claims.ORDERS, crc32(f"{owner} {order.reference}".encode()))
    if (first := _first(order)) is None:
        return _create(order, by)
    if any(getattr(first, name) != getattr(order, name) for name in _ASKED):
        raise ReferenceUsed("Another order has this reference.")
    return first


def _first(order: Order) -> Order | None:
    """Return the first order with the reference of this one, by the index of sessions."""
    return (
        Order.objects.filter(
            session__business=order.business,
            session__environment=order.environment,
            session__reference=order.reference,
        )
        .select_related("business", "session")
        .order_by("pk")
        .first()
    )


def _create(order: Order, by: Actor) -> Order:
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
