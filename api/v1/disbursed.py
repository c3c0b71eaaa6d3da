"""The members that answers about disbursements have in common: each answer takes those it shows."""

from collections.abc import Mapping

from rest_framework import serializers

from api.sandbox.disbursing import DisbursementT, Disbursing
from api.sandbox.lifecycle import DISBURSEMENT_STATUSES
from api.sandbox.models import disbursement
from api.v1.described import Described, DescribedAmount, DescribedStatus
from api.v1.resource import Member, Resource
from console.core.money import CURRENCIES, decimal


class FailureShape(Described):
    """Why it failed."""

    code = serializers.CharField(help_text="The reason, to branch on.")
    message = serializers.CharField(help_text="The reason in words.")


def status(says: str = "Where the money is: reserved, gone, or back.") -> DescribedStatus:
    """Return the member that tells where its money is."""
    return DescribedStatus(DISBURSEMENT_STATUSES, help_text=says)


def amount(
    says: str = "The amount, as a decimal text.", *, of: str = "currency"
) -> DescribedAmount:
    """Return the member that tells how much it is; `of` is the member that names the currency."""
    return DescribedAmount(of, help_text=says)


def currency(says: str = "The currency or asset.") -> serializers.ChoiceField:
    """Return the member that tells of what it is an amount."""
    return serializers.ChoiceField(choices=list(CURRENCIES), help_text=says)


def fee(says: str = "What it costs beside the amount.", *, of: str = "currency") -> DescribedAmount:
    """Return the member that tells what it costs; `of` is the member that names the currency."""
    return DescribedAmount(of, help_text=says)


def failure(says: str = "Why it failed; null while it has not.") -> FailureShape:
    """Return the member that tells why one failed."""
    return FailureShape(allow_null=True, help_text=says)


def created_at(says: str = "When you asked for it.") -> serializers.DateTimeField:
    """Return the member that tells since when there is one."""
    return serializers.DateTimeField(help_text=says)


def completed_at(
    says: str = "When the money was gone; null before.",
) -> serializers.DateTimeField:
    """Return the member that tells when it was completed."""
    return serializers.DateTimeField(allow_null=True, help_text=says)


# Fees are nothing in the sandbox, and no other provider is connected.
_COMPUTED: dict[str, Member] = {
    "fee": lambda columns: decimal(0, columns["currency"]),
    "failure": lambda columns: disbursement.failure(columns["failure_code"]),
}


def resource(
    model: type[DisbursementT],
    shape: type[Described],
    verbs: Disbursing[DisbursementT],
    *,
    columns: Mapping[str, str] | None = None,
    computed: Mapping[str, Member] | None = None,
    also: tuple[str, ...] = (),
) -> Resource[DisbursementT]:
    """Return the resource of one kind of disbursement, which settles what is late.

    `columns`, `computed` and `also` are what it shows otherwise than all of them do.
    """
    return Resource(
        model,
        shape,
        columns=columns or {},
        computed={**_COMPUTED, **(computed or {})},
        also=("failure_code", *also),
        settle=verbs.settle_due,
    )
