"""Payments to accounts: payouts, transfers to beneficiaries, and payroll runs."""

from datetime import UTC, datetime, time
from typing import Any

from django.db import models
from django.db.models import Q

from api.payments.models import disbursement
from api.payments.models.disbursement import Disbursement
from api.payments.models.exchange import Quote
from api.payments.models.ledger import EntryType
from api.payments.models.owned_object import (
    OwnedObject,
    kept,
    known_environment,
    listed_by,
    reading_order,
)
from console.core import ids
from console.core.money import Money


class Payout(Disbursement):
    """A disbursement to the bank account in the request."""

    TYPE = EntryType.PAYOUT
    FAILURE = "rejected_by_bank"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("pay"))
    bank_account = models.JSONField()

    class Meta:
        indexes = disbursement.indexes("payout", "reference")
        constraints = disbursement.constraints("payout", "bank_account")

    @property
    def instructed(self) -> dict[str, Any]:
        return {"bank_account": self.bank_account}

    @property
    def parties(self) -> list[dict[str, str]]:
        return [_holder(self.bank_account)]

    @property
    def limited(self) -> list[Money]:
        return [self.money]


class Beneficiary(OwnedObject):
    """A beneficiary. After deletion (`removed_at`) it is kept for its past transfers."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ben"))
    name = models.CharField(max_length=140)
    country = models.CharField(max_length=2)
    currency = models.CharField(max_length=10)
    account = models.JSONField()
    removed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [reading_order("beneficiaries"), *listed_by("beneficiaries", "currency")]
        constraints = [
            known_environment("beneficiary"),
            kept("beneficiary", "currency", "country", "account", "removed_at"),
        ]

    def __str__(self) -> str:
        return self.name


class Transfer(Disbursement):
    """A disbursement to a beneficiary.

    `destination_amount` in minor units of `destination_currency` is what arrives, at the `rate` of
    the quote or of the day. Within one currency there is neither.
    """

    TYPE = EntryType.TRANSFER
    FAILURE = "rejected_by_network"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("trf"))
    # Foreign key to the public ID, so that reading a transfer needs no join.
    beneficiary = models.ForeignKey(
        Beneficiary, on_delete=models.PROTECT, to_field="public_id", db_index=False
    )
    quote = models.OneToOneField(Quote, on_delete=models.PROTECT, to_field="public_id", null=True)
    rate = models.CharField(max_length=30, blank=True)
    destination_currency = models.CharField(max_length=10)
    destination_amount = models.BigIntegerField(null=True)

    class Meta:
        indexes = disbursement.indexes("transfer", "reference", "beneficiary")
        constraints = [
            *disbursement.constraints(
                "transfer",
                "beneficiary",
                "quote",
                "rate",
                "destination_currency",
                "destination_amount",
            ),
            models.CheckConstraint(
                condition=Q(quote=None, rate="", destination_amount=None)
                | Q(destination_amount__gt=0) & ~Q(rate=""),
                name="a_transfer_binds_what_its_quote_does",
            ),
        ]

    @property
    def instructed(self) -> dict[str, Any]:
        """The account, and what arrives there if it is of another currency."""
        details = {"bank_account": self.beneficiary.account}
        if self.destination_amount is None:
            return details
        arrives = Money(self.destination_amount, self.destination_currency)
        return details | {"to_amount": arrives.decimal(), "to_currency": arrives.currency}

    @property
    def parties(self) -> list[dict[str, str]]:
        """The beneficiary, and the holder of the account if that is another name."""
        one = {"name": self.beneficiary.name, "country": self.beneficiary.country}
        holder = _holder(self.beneficiary.account)
        return [one] if holder["name"] == one["name"] else [one, holder]

    @property
    def limited(self) -> list[Money]:
        return [self.money]


class PayrollRun(Disbursement):
    """One disbursement of the sum of its `items`: either all are paid or none.

    Each item has an `amount` as a decimal string, a `bank_account` and optionally a `reference`.
    """

    TYPE = EntryType.PAYROLL
    FAILURE = "rejected_by_bank"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("prl"))
    pay_date = models.DateField()
    items = models.JSONField()

    class Meta:
        indexes = disbursement.indexes("payroll_run")
        constraints = disbursement.constraints("payroll_run", "pay_date", "items")

    @property
    def parties(self) -> list[dict[str, str]]:
        return [_holder(item["bank_account"]) for item in self.items]

    @property
    def limited(self) -> list[Money]:
        return [Money.parse(item["amount"], self.currency) for item in self.items]

    @property
    def instructed(self) -> dict[str, Any]:
        return {"pay_date": self.pay_date.isoformat(), "items": self.items}

    @property
    def not_before(self) -> datetime:
        """Start of the pay date in UTC."""
        return datetime.combine(self.pay_date, time(), UTC)

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {
            "pay_date": self.pay_date.isoformat(),
            "items": len(self.items),
        }


def _holder(bank_account: dict[str, str]) -> dict[str, str]:
    """Return the holder of an account as a party of a payment."""
    return {"name": bank_account["account_name"], "country": bank_account["country"]}
