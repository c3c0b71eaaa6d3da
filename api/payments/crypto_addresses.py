"""Create crypto addresses."""

from django.db import transaction

from api.payments import scoping
from api.payments.models import CryptoAddress
from api.providers.simulated import provider_for
from console.accounts.actors import Actor


@transaction.atomic
def create(one: CryptoAddress, *, by: Actor) -> CryptoAddress:
    """Request an address from the provider and save it."""
    one.address = provider_for(one.environment).new_address(one.network, one.public_id)
    return scoping.create(one, "crypto_address.created", by=by)
