"""Create crypto addresses."""

from django.db import transaction

from api.sandbox import scoping
from api.sandbox.models import CryptoAddress
from api.sandbox.sandbox_provider import provider_for
from console.accounts.actors import Actor


@transaction.atomic
def create(one: CryptoAddress, *, by: Actor) -> CryptoAddress:
    """Request an address from the provider and save it."""
    one.address = provider_for(one.environment).new_address(one.network, one.public_id)
    return scoping.create(one, "crypto_address.created", by=by)
