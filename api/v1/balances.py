"""GET /balances, /transactions: what the business holds, and every movement of it."""

from rest_framework import serializers

from api.fields import StrictChoice
from api.pagination import PageQuery
from api.sandbox.models import Account, Balance, EntryType, LedgerEntry
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
)
from api.v1.examples.balances import BALANCES, TRANSACTION
from api.viewsets import ListMixin, RetrieveMixin
from console.core.money import CURRENCIES


class BalanceItem(ResourceSerializer):
    """What is held of one currency. Amounts are decimal strings."""

    object = ObjectField("balance")
    currency = SentCurrencyField()
    available = SentAmountField(help_text="What you can spend now.")
    pending = SentAmountField(help_text="What is on its way in.")
    reserved = SentAmountField(help_text="What is held for payments that have begun.")
    total = SentAmountField(help_text="The three together.")
    last_reconciled_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When it last proved to be the sum of its movements; null before the first time.",
    )


class BalanceQuery(PageQuery):
    """GET /balances: of all currencies, or of those that are named."""

    currency = serializers.ListField(
        child=StrictChoice(choices=list(CURRENCIES)),
        default=list,
        help_text="Only these currencies. Repeat the parameter for more than one.",
    )


class Balances(ListMixin):
    """What the business holds of each currency."""

    product = resource = "balances"
    queryset = Balance.objects.all()
    serializer_class = BalanceItem
    query_class = BalanceQuery
    words = "balances", "balance"
    example = BALANCES


class TransactionItem(ResourceSerializer):
    """A movement of a balance: from one of its accounts to another, or from or to outside."""

    id = IdField(help_text="The id of the movement.")
    object = ObjectField("transaction")
    type = serializers.ChoiceField(choices=EntryType.values, help_text="What moved the money.")
    amount = SentAmountField(help_text="How much was moved, as a decimal text.")
    currency = SentCurrencyField()
    direction = serializers.ChoiceField(
        choices=["credit", "debit", "internal"],
        help_text="`credit` where money came in, `debit` where it left, `internal` where it only"
        " went from one account of the balance to another.",
    )
    from_account = serializers.ChoiceField(
        choices=Account.values, help_text="The account of the balance that it left."
    )
    to_account = serializers.ChoiceField(
        choices=Account.values, help_text="The account of the balance that it reached."
    )
    balance_after = SentAmountField(
        source="total_after", help_text="The total of the balance after it."
    )
    source = serializers.CharField(  # type: ignore[assignment]  # as DRF has it
        allow_null=True,
        help_text="The id of what moved it, such as a payout; null for the opening of a balance.",
    )
    created_at = serializers.DateTimeField(help_text="When it moved.")


class TransactionQuery(BalanceQuery):
    """GET /transactions: of all currencies, or of those that are named."""


class Transactions(ListMixin, RetrieveMixin):
    """Every movement of a balance."""

    product = "balances"
    resource = "transactions"
    queryset = LedgerEntry.objects.all()
    serializer_class = TransactionItem
    query_class = TransactionQuery
    words = "movements of the balances", "movement of a balance"
    example = TRANSACTION
