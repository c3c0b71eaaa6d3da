"""VirtualAccount (a number that payers transfer to), Deposits and Refunds."""

from typing import Any

from django.db import models
from django.db.models import Q

from api.payments.lifecycle import (
    DEPOSIT_LIFECYCLE,
    VIRTUAL_ACCOUNT_LIFECYCLE,
    DepositStatus,
    VirtualAccountStatus,
)
from api.payments.models import disbursement
from api.payments.models.customers import Customer
from api.payments.models.disbursement import Disbursement
from api.payments.models.ledger import EntryType
from api.payments.models.owned_object import (
    MoneyObject,
    OwnedObject,
    kept,
    known_environment,
    listed_by,
    reading_order,
)
from api.payments.models.screenings import PaymentScreening
from apikeys.lifecycle import Environment
from console.core import ids
from console.core.moves_constraint import MovesConstraint


class AccountType(models.TextChoices):
    """Whether it is a dedicated account or serves one payment."""

    DEDICATED = "dedicated", "Dedicated"
    TEMPORARY = "temporary", "Temporary"


class FreezeAuthority(models.TextChoices):
    """Who froze an account; only they can unfreeze it."""

    COMPLIANCE = "compliance", "Compliance"
    BUSINESS = "business", "Business"


class VirtualAccount(OwnedObject):
    """A virtual account. `account_number` and `bank_name` are empty until it is issued.

    While it requires action, `reasons` say what the provider lacks, and `action_until` is the
    deadline. While it is frozen, `frozen_by` says who froze it.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("vac"))
    status = models.CharField(
        max_length=20, choices=VirtualAccountStatus, default=VirtualAccountStatus.PENDING
    )
    currency = models.CharField(max_length=10)
    account_name = models.CharField(max_length=300)
    # An IBAN has up to 34 characters.
    account_number = models.CharField(max_length=34, blank=True)
    bank_name = models.CharField(max_length=100, blank=True)
    # Foreign key to the public ID, so that reading an account needs no join.
    customer = models.ForeignKey(
        Customer, null=True, on_delete=models.PROTECT, to_field="public_id", db_index=False
    )
    account_type = models.CharField(
        max_length=10, choices=AccountType, default=AccountType.DEDICATED
    )
    reference = models.CharField(max_length=140, blank=True)
    reasons = models.JSONField(default=list)
    action_until = models.DateTimeField(null=True)
    frozen_by = models.CharField(max_length=10, choices=FreezeAuthority, blank=True)

    class Meta:
        indexes = [
            reading_order("accounts"),
            *listed_by("accounts", "status", "currency", "reference", "customer"),
            models.Index(
                fields=["action_until"],
                condition=Q(status=VirtualAccountStatus.REQUIRES_ACTION),
                name="accounts_that_require_action",
            ),
        ]
        constraints = [
            known_environment("account"),
            kept("account", "currency", "account_number", "bank_name", "customer", "account_type"),
            MovesConstraint(
                arrows=VIRTUAL_ACCOUNT_LIFECYCLE.arrows(), name="account_moves_by_the_table"
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=VirtualAccountStatus.values, account_type__in=AccountType.values
                ),
                name="account_status_is_known",
            ),
            models.CheckConstraint(
                condition=~Q(account_number="")
                | ~Q(status__in=[VirtualAccountStatus.ACTIVE, VirtualAccountStatus.FROZEN]),
                name="an_open_account_has_a_number",
            ),
            models.CheckConstraint(
                condition=Q(status=VirtualAccountStatus.REQUIRES_ACTION, action_until__isnull=False)
                | ~Q(status=VirtualAccountStatus.REQUIRES_ACTION) & Q(action_until=None),
                name="an_account_waits_until_a_day",
            ),
            models.CheckConstraint(
                condition=Q(
                    status=VirtualAccountStatus.FROZEN, frozen_by__in=FreezeAuthority.values
                )
                | ~Q(status=VirtualAccountStatus.FROZEN) & Q(frozen_by=""),
                name="a_frozen_account_says_by_whom",
            ),
            # Never reuse the number of a closed account.
            models.UniqueConstraint(
                fields=["environment", "account_number"],
                condition=~Q(account_number=""),
                name="one_account_of_a_number",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_name} ({self.public_id})"


class PaymentMethod(models.TextChoices):
    """How a payer pays (specification 2)."""

    BANK_TRANSFER = "bank_transfer", "Bank transfer"
    CRYPTO = "crypto", "Crypto"
    SERVICE_TAG = "service_tag", "Service tag"


class NotApplied(models.TextChoices):
    """Why a payment does not count towards its checkout session. Only add values."""

    CONFIRMING = "confirming", "Waiting for confirmations"
    LATE = "late", "Arrived after the session ended"
    WRONG_CURRENCY = "wrong_currency", "Of another currency"
    TOO_MANY_PARTS = "too_many_parts", "One partial payment too many"
    SUSPENDED = "suspended", "The business is suspended"
    REVERSED = "reversed", "Reversed by the provider"


class Deposit(MoneyObject):
    """Money that arrived on a virtual account, or as a payment of a checkout session.

    `provider_reference` is the provider's ID of the payment, booked only once. `source_reference`
    is the payer's bank's reference. A payment of a session counts towards it if `is_applied`;
    otherwise `not_applied` says why. One that waits for confirmations counts from `confirms_at`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("dep"))
    virtual_account = models.ForeignKey(
        VirtualAccount,
        null=True,
        on_delete=models.PROTECT,
        to_field="public_id",
        related_name="deposits",
    )
    checkout_session = models.ForeignKey(
        "CheckoutSession",
        null=True,
        on_delete=models.PROTECT,
        to_field="public_id",
        related_name="payments",
    )
    status = models.CharField(max_length=10, choices=DepositStatus, default=DepositStatus.SETTLED)
    source = models.CharField(
        max_length=20, choices=PaymentMethod, default=PaymentMethod.BANK_TRANSFER
    )
    source_reference = models.CharField(max_length=140, blank=True)
    provider_reference = models.CharField(max_length=140)
    is_applied = models.BooleanField(default=False)
    not_applied = models.CharField(max_length=20, choices=NotApplied, blank=True)
    confirms_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["confirms_at"],
                condition=Q(not_applied=NotApplied.CONFIRMING),
                name="deposits_that_confirm",
            ),
        ]
        constraints = [
            known_environment("deposit"),
            kept(
                "deposit",
                "amount",
                "currency",
                "virtual_account",
                "checkout_session",
                "source",
                "source_reference",
                "provider_reference",
                "settled_at",
            ),
            MovesConstraint(arrows=DEPOSIT_LIFECYCLE.arrows(), name="deposit_moves_by_the_table"),
            models.CheckConstraint(
                condition=Q(
                    status__in=[DepositStatus.HELD, DepositStatus.RETURNED], settled_at=None
                )
                | Q(status=DepositStatus.SETTLED, settled_at__isnull=False)
                | Q(status=DepositStatus.REVERSED),
                name="a_settled_deposit_says_when",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="a_deposit_moves_something"),
            models.CheckConstraint(
                condition=~Q(virtual_account=None) | ~Q(checkout_session=None),
                name="a_deposit_arrives_somewhere",
            ),
            models.CheckConstraint(
                condition=Q(checkout_session=None, is_applied=False, not_applied="")
                | Q(checkout_session__isnull=False, is_applied=True, not_applied="")
                | Q(
                    checkout_session__isnull=False,
                    is_applied=False,
                    not_applied__in=NotApplied.values,
                ),
                name="a_payment_counts_or_says_why_not",
            ),
            models.CheckConstraint(
                condition=~Q(not_applied=NotApplied.CONFIRMING)
                | Q(status=DepositStatus.HELD, confirms_at__isnull=False),
                name="a_confirming_payment_is_held",
            ),
            # Each business simulates its own providers in a sandbox, so their references are
            # separate.
            models.UniqueConstraint(
                fields=["business", "environment", "provider_reference"],
                name="a_provider_reference_counts_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.money} ({self.public_id})"

    @property
    def is_undecided(self) -> bool:
        """Whether it is held until the business accepts or returns it."""
        waits = self.not_applied and self.not_applied != NotApplied.CONFIRMING
        return self.status == DepositStatus.HELD and bool(waits)

    @property
    def is_late(self) -> bool:
        """Whether it arrived after its checkout session ended."""
        return self.not_applied == NotApplied.LATE


class Refund(Disbursement):
    """A disbursement to the payer of a deposit, with the deposit's provider reference."""

    TYPE = EntryType.REFUND
    FAILURE = "rejected_by_bank"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ref"))
    deposit = models.ForeignKey(Deposit, on_delete=models.PROTECT, related_name="refunds")
    payment_reference = models.CharField(max_length=140)
    reason = models.CharField(max_length=255, blank=True)

    class Meta:
        indexes = disbursement.indexes("refund", "payment_reference")
        constraints = disbursement.constraints("refund", "deposit", "payment_reference", "reason")

    @property
    def parties(self) -> list[dict[str, str]]:
        """The payer of the deposit, as live's provider named them. The sandbox's have no name."""
        if self.environment != Environment.LIVE:
            return []
        found = PaymentScreening.objects.filter(object_id=self.deposit.public_id).first()
        return found.parties if found else []

    @property
    def instructed(self) -> dict[str, Any]:
        return {"payment_reference": self.payment_reference}
