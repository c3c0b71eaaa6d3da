"""Create orders."""

from django.db import transaction

from api.sandbox import owned
from api.sandbox.models import Order
from console.accounts.actors import Actor
from console.core import clock

# How the page of an order can be paid on.
CHANNELS = ("bank_transfer",)


@transaction.atomic
def create(order: Order, *, by: Actor) -> Order:
    """Ask somebody to pay an amount."""
    order.created_at = clock.now()
    order.save(force_insert=True)
    owned.announce(order, "order.created", by=by)
    return order
