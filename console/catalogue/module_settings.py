"""Which modules of products a business sees in its console."""

from console.accounts.models import Business
from console.catalogue import products


def shown(business_id: int) -> frozenset[str]:
    """Return the products whose modules are shown to a business: those that are approved."""
    return frozenset(products.approved(Business(pk=business_id)))
