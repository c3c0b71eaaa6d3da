"""Identity verifications: create, settle, and check whether a customer is confirmed."""

from django.db import transaction

from api.payments import scoping
from api.payments.lifecycle import VERIFICATION_LIFECYCLE, VerificationResult, VerificationStatus
from api.payments.models import Customer, IdentityVerification
from api.providers.interface import IdentityOutcome, IdentityQuery
from api.providers.simulated import provider_for
from console.accounts.actors import SYSTEM, Actor
from console.core import clock
from console.events import jobs

_RESULTS = {
    IdentityOutcome.CONFIRMED: VerificationResult.CONFIRMED,
    IdentityOutcome.MISMATCH: VerificationResult.MISMATCH,
    IdentityOutcome.NOT_FOUND: VerificationResult.NOT_FOUND,
}
JOB = "identity_verifications.settle_due"
_MOST_SHOWN = 4


@transaction.atomic
def create(
    verification: IdentityVerification, number: str, *, tries: int, by: Actor
) -> IdentityVerification:
    """Ask the provider about a document number. `tries` counts earlier attempts with the key.

    Raises ProviderAway. Stores at most a third of the number, up to four characters.
    """
    customer = verification.customer
    verification.name = customer.legal_name if customer else ""
    query = IdentityQuery(verification.type, verification.country, number, verification.name)
    provider = provider_for(verification.environment)
    outcome = provider.identify(query, tries=tries)
    verification.number_ends_with = number[-min(_MOST_SHOWN, len(number) // 3) :]
    verification.created_at = clock.now()
    if outcome is IdentityOutcome.WAITS:
        verification.settles_at = verification.created_at + provider.wait
    scoping.create(verification, "identity_verification.created", by=by)
    if outcome is IdentityOutcome.WAITS:
        jobs.wake_on_commit(JOB, after=provider.wait)
    else:
        _complete(verification, _RESULTS[outcome], by=by)
    return verification


def settle_due(business_pk: int | None = None) -> None:
    """Complete those that are due, for one business or for all."""
    due = IdentityVerification.objects.filter(
        status=VerificationStatus.PENDING, settles_at__lte=clock.now()
    )
    if business_pk is not None:
        due = due.filter(business=business_pk)
    for verification in due.order_by("pk").iterator():
        _settle(verification)


@transaction.atomic
def _settle(verification: IdentityVerification) -> None:
    """Complete one that is due, unless another process did so meanwhile."""
    verification = scoping.locked(verification)
    if verification.status == VerificationStatus.PENDING:
        _complete(verification, VerificationResult.CONFIRMED, by=SYSTEM)


def is_confirmed(customer: Customer) -> bool:
    """Tell whether a verification has confirmed the customer under their current name."""
    return IdentityVerification.objects.filter(
        customer=customer, result=VerificationResult.CONFIRMED, name=customer.legal_name
    ).exists()


def _complete(verification: IdentityVerification, result: VerificationResult, *, by: Actor) -> None:
    VERIFICATION_LIFECYCLE.check(verification.status, VerificationStatus.COMPLETED)
    verification.status, verification.result = VerificationStatus.COMPLETED, result
    verification.completed_at = clock.now()
    verification.save(update_fields=["status", "result", "completed_at"])
    scoping.announce(verification, "identity_verification.completed", by=by)
