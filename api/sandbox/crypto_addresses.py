"""Give out addresses that assets can be sent to."""

from django.db import transaction

from api.sandbox import owned
from api.sandbox.models import CryptoAddress
from api.sandbox.sandbox_provider import provider_for
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def create(one: CryptoAddress, *, by: Actor) -> CryptoAddress:
    """Ask the provider for an address of one's own, and keep it."""
    one.address = provider_for(one.environment).new_address(one.network, one.public_id)
    one.created_at = clock.now()
    one.save(force_insert=True)
    owned.announce(one, "crypto_address.created", by=by)
    return one
