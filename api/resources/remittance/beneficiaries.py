"""Create and remove beneficiaries."""

from django.db import transaction

from api.sandbox import owned
from api.sandbox.models import Beneficiary
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def create(beneficiary: Beneficiary, *, by: Actor) -> Beneficiary:
    """Keep a beneficiary."""
    beneficiary.created_at = clock.now()
    beneficiary.save(force_insert=True)
    owned.announce(beneficiary, "beneficiary.created", by=by)
    return beneficiary


@transaction.atomic
def remove(beneficiary: Beneficiary, *, by: Actor) -> None:
    """Remove a beneficiary. Transfers under way go on. Twice is once."""
    if Beneficiary.objects.filter(pk=beneficiary.pk, removed_at=None).update(
        removed_at=clock.now()
    ):
        owned.announce(beneficiary, "beneficiary.removed", by=by)
