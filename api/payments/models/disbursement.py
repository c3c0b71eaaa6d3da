"""Abstract model of payments from a balance: amount, status and reason for failure."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from api.payments.lifecycle import DISBURSEMENT_LIFECYCLE, DisbursementStatus
from api.payments.models.ledger import Account, EntryType
from api.payments.models.owned_object import MoneyObject, kept, listed_by, reading_order
from apikeys.lifecycle import Environment
from console.core.money import Money
from console.core.moves_constraint import MovesConstraint

FAILURES = {
    "compliance_blocked": "We may not make the payment. Its money stays reserved.",
    "rejected_by_bank": "The bank refused the payment.",
    "rejected_by_network": "The receiving network refused the payment.",
    "rejected_by_exchange": "The exchange refused the conversion.",
    "rejected_by_desk": "The trading desk refused the order.",
    "declined_by_issuer": "The card issuer declined the payment.",
    "rejected_by_provider": "The provider refused the operation.",
    "rejected_by_supplier": "The supplier refused the order.",
}


# The code of one that our reviewers blocked. Its money stays reserved.
BLOCKED = "compliance_blocked"


class Disbursement(MoneyObject):
    """A payment from a balance. `settles_at` is when the sandbox completes a pending one.

    In live, the provider says when.
    `TYPE` is the type of its ledger entries, and `FAILURE` the code of
    a failed one.
    """

    TYPE: ClassVar[EntryType]
    FAILURE: ClassVar[str]

    status = models.CharField(
        max_length=20, choices=DisbursementStatus, default=DisbursementStatus.PENDING
    )
    reference = models.CharField(max_length=140, blank=True)
    failure_code = models.CharField(max_length=40, blank=True)
    settles_at = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.money} ({self.public_id})"

    @property
    def pays(self) -> Money:
        """The amount that leaves a balance."""
        return self.money

    @property
    def fee(self) -> Money:
        """The fee: none yet."""
        return Money(0, self.currency)

    @property
    def instructed(self) -> dict[str, Any]:
        """What live's provider must know about this kind, in addition to every kind's fields."""
        return {}

    @property
    def parties(self) -> list[dict[str, str]]:
        """The people and companies that it pays: `name` and, if known, `country`."""
        return []

    @property
    def limited(self) -> list[Money]:
        """The single payments of it that count against the limits of live."""
        return []

    @property
    def not_before(self) -> datetime | None:
        """The earliest time it may leave the balance, or None for immediately."""
        return None

    @property
    def proceeds(self) -> Money | None:
        """The amount added to another balance on completion, if any."""
        return None

    @property
    def route(self) -> tuple[Account, Account, Account]:
        """Accounts of its money: before it, while pending, and when completed."""
        return Account.AVAILABLE, Account.RESERVED, Account.EXTERNAL

    @property
    def failure(self) -> dict[str, str] | None:
        return failure(self.failure_code)


def failure(code: str) -> dict[str, str] | None:
    """Return a failure as the API shows it, or None."""
    return {"code": code, "message": FAILURES[code]} if code else None


def indexes(word: str, *columns: str) -> list[models.Index]:
    """Return a table's indexes, for its list, also by these columns, and for pending rows."""
    listed = listed_by(f"{word}s", "status", "currency", *columns)
    return [reading_order(f"{word}s"), waiting(word), *listed]


def waiting(word: str) -> models.Index:
    """Return the index of pending rows, for a kind without a list."""
    return models.Index(
        fields=["settles_at"], condition=Q(status="pending"), name=f"{word}s_that_wait"
    )


def constraints(word: str, *columns: str) -> list[models.BaseConstraint]:
    """Return a table's constraints. Rows keep these columns, besides those of every kind."""
    return [
        kept(word, "amount", "currency", "reference", *columns),
        models.CheckConstraint(
            condition=Q(status__in=DisbursementStatus.values, environment__in=Environment.values),
            name=f"{word}_status_is_known",
        ),
        models.CheckConstraint(condition=Q(amount__gt=0), name=f"a_{word}_moves_something"),
        MovesConstraint(arrows=DISBURSEMENT_LIFECYCLE.arrows(), name=f"{word}_moves_by_the_table"),
    ]
