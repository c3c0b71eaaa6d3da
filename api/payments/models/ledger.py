"""Balance (a business's money in one currency) and LedgerEntry (one movement)."""

from django.db import models
from django.db.models import F, Q

from api.payments.models.owned_object import MinorUnits, listed_by, reading_order
from apikeys.lifecycle import Environment
from console.accounts.models import Business
from console.audit.recorded import Recorded, changed
from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges, SetOnce
from console.core.money import Money


class Account(models.TextChoices):
    """The three parts of a balance, and the outside world; together they always sum to zero."""

    AVAILABLE = "available", "Available"
    PENDING = "pending", "Pending"
    RESERVED = "reserved", "Reserved"
    EXTERNAL = "external", "External"


class EntryType(models.TextChoices):
    """What moved the money. Only add values, because clients branch on them."""

    OPENING = "opening", "Opening balance"
    PAYOUT = "payout", "Payout"
    TRANSFER = "transfer", "Transfer"
    DEPOSIT = "deposit", "Deposit"
    CONVERSION = "conversion", "Conversion"
    OTC_ORDER = "otc_order", "OTC order"
    CRYPTO_WITHDRAWAL = "crypto_withdrawal", "Crypto withdrawal"
    CARD_TRANSACTION = "card_transaction", "Card transaction"
    REFUND = "refund", "Refund"
    SAVINGS = "savings", "Savings"
    DIGITAL_SERVICE = "digital_service", "Digital service"
    PAYROLL = "payroll", "Payroll"
    FLIGHT = "flight", "Flight"


class Balance(models.Model):
    """A balance in minor units, changed only by ledger entries.

    In a currency that requires opting in, it exists only after that; `removed_at` is when the
    currency was ended. `stopped_at` is when its entries did not match it; while set, nothing can
    move it. `in_on_day` and `out_on_day` are what came from outside and left on the day (UTC) of
    its newest entry.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("bal"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    environment = models.CharField(max_length=10, choices=Environment)
    currency = models.CharField(max_length=10)
    available = models.BigIntegerField(default=0)
    pending = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)
    day = models.DateField(null=True)
    in_on_day = models.BigIntegerField(default=0, db_default=0)
    out_on_day = models.BigIntegerField(default=0, db_default=0)
    last_reconciled_at = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [reading_order("balances")]
        constraints = [
            models.UniqueConstraint(
                fields=["business", "environment", "currency"], name="one_balance_per_currency"
            ),
            models.CheckConstraint(
                condition=Q(available__gte=0, pending__gte=0, reserved__gte=0),
                name="a_balance_is_never_negative",
            ),
            models.CheckConstraint(
                condition=Q(removed_at=None) | Q(available=0, pending=0, reserved=0),
                name="a_removed_balance_is_empty",
            ),
            DatabaseRule.beside(__file__, "ledger_refuse_unposted"),
            SetOnce(
                fields=["id", "public_id", "business", "environment", "currency", "created_at"],
                name="a_balance_is_one_balance",
            ),
            Recorded(
                fields=["stopped_at"], condition=changed("stopped_at"), name="stops_are_recorded"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.currency} of {self.business}, {self.environment}"

    @property
    def total(self) -> Money:
        return Money(self.available + self.pending + self.reserved, self.currency)


class CurrencyOptIn(models.Model):
    """A business's use of a currency that requires opting in, until `ended_at`."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("opt"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    currency = models.CharField(max_length=10)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "currency"],
                condition=Q(ended_at=None),
                name="a_currency_is_open_once_per_business",
            ),
            SetOnce(
                fields=["id", "public_id", "business", "currency", "opened_at", "ended_at"],
                name="an_opt_in_ends_once",
            ),
            Recorded(fields=["ended_at"], added=True, name="currencies_are_recorded"),
        ]

    def __str__(self) -> str:
        return self.currency


class LedgerEntry(models.Model):
    """A movement of `amount` in minor units from one account of the balance to another.

    Entries are balanced by design: one account loses what the other gains. The database sets
    `total_after` to the sum of available, pending and reserved. `source` is the public ID of what
    moved the money.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("txn"))
    balance = models.ForeignKey(
        Balance, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    type = models.CharField(max_length=30, choices=EntryType)
    amount = MinorUnits()
    currency = models.CharField(max_length=10)
    from_account = models.CharField(max_length=10, choices=Account)
    to_account = models.CharField(max_length=10, choices=Account)
    total_after = MinorUnits(default=0)
    source = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            reading_order("entries"),
            *listed_by("entries", "currency", "source"),
            models.Index(fields=["balance", "-id"], name="entries_of_a_balance"),
        ]
        constraints = [
            NeverChanges(name="ledger_entries_never_change"),
            models.CheckConstraint(
                condition=Q(from_account__in=Account.values, to_account__in=Account.values),
                name="an_entry_names_known_accounts",
            ),
            models.CheckConstraint(
                condition=~Q(from_account=F("to_account")) & Q(amount__gt=0),
                name="an_entry_moves_something",
            ),
            DatabaseRule.beside(__file__, "ledger_apply_entry"),
            DatabaseRule.beside(__file__, "ledger_require_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}, {self.from_account} to {self.to_account}"

    @property
    def direction(self) -> str:
        """Whether the balance as a whole gained or lost money, or moved it internally."""
        if self.from_account == Account.EXTERNAL:
            return "credit"
        return "debit" if self.to_account == Account.EXTERNAL else "internal"
