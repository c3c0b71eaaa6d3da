"""Order digital services, and settle what waits."""

from django.db import transaction

from api.sandbox.disbursing import Disbursing
from api.sandbox.models import ServiceOrder
from api.sandbox.sandbox_provider import provider_for
from console.accounts.actors import Actor

ORDERS = Disbursing(ServiceOrder, "service_order")


@transaction.atomic(savepoint=False)
def create(order: ServiceOrder, *, tries: int, by: Actor) -> ServiceOrder:
    """Order a service for its recipient, or raise StockConflict where it is sold out."""
    provider_for(order.environment).hold_service(order.recipient)
    return ORDERS.create(order, tries=tries, by=by)
