"""Remove beneficiaries."""

from django.db import transaction

from api.payments import scoping
from api.payments.models import Beneficiary
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def remove(beneficiary: Beneficiary, *, by: Actor) -> None:
    """Remove a beneficiary. Transfers in progress continue. Safe to repeat."""
    known = Beneficiary.objects.filter(pk=beneficiary.pk, removed_at=None)
    if known.update(removed_at=clock.now()):
        scoping.announce(beneficiary, "beneficiary.removed", by=by)
