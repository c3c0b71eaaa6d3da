"""Give out addresses that assets can be sent to."""

from django.db import transaction

from api.providers.selection import provider_for
from api.resources import announcing
from api.resources.crypto.models import CryptoAddress
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def create(one: CryptoAddress, *, by: Actor) -> CryptoAddress:
    """Ask the provider for an address of one's own, and keep it."""
    one.address = provider_for(one.environment).new_address(one.network, one.public_id)
    one.created_at = clock.now()
    one.save(force_insert=True)
    announcing.announce(one, "crypto_address.created", by=by)
    return one
