"""GET /balances, /transactions: the business's balances and their movements."""

from rest_framework import serializers

from api.fields import StrictChoice, any_of
from api.pagination import PageQuerySerializer
from api.payments.models import Account, Balance, EntryType, LedgerEntry
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
)
from api.v1 import filters
from api.v1.examples.balances import BALANCES, TRANSACTION
from api.viewsets import ListMixin, RetrieveMixin
from console.core.money import CURRENCIES


class BalanceSerializer(ResourceSerializer):
    """The balance of one currency. Amounts are decimal strings."""

    object = ObjectField("balance")
    currency = SentCurrencyField()
    available = SentAmountField(help_text="The amount that you can spend now.")
    pending = SentAmountField(help_text="The amount of incoming payments that have not settled.")
    reserved = SentAmountField(help_text="The amount reserved for payments in progress.")
    total = SentAmountField(help_text="The sum of available, pending and reserved.")
    last_reconciled_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When we last reconciled the balance with its movements, or null.",
    )


class BalanceQuerySerializer(PageQuerySerializer):
    """GET /balances: for all currencies, or only the ones given."""

    currency = any_of(
        StrictChoice(choices=list(CURRENCIES)), "Only these currencies.", source="currency__in"
    )


class BalanceViewSet(ListMixin):
    """Balances of the business, one for each currency."""

    product = resource = "balances"
    queryset = Balance.objects.all()
    serializer_class = BalanceSerializer
    query_class = BalanceQuerySerializer
    words = "balances", "balance"
    example = BALANCES


class TransactionSerializer(ResourceSerializer):
    """A balance movement: between its accounts, into it or out of it."""

    id = IdField(help_text="The id of the movement.")
    object = ObjectField("transaction")
    type = serializers.ChoiceField(choices=EntryType.values, help_text="The type of the movement.")
    amount = SentAmountField(help_text="The amount moved, as a decimal string.")
    currency = SentCurrencyField()
    direction = serializers.ChoiceField(
        choices=["credit", "debit", "internal"],
        help_text=(
            "`credit` if money came in, `debit` if money left, `internal` if it moved between "
            "accounts of the balance."
        ),
    )
    from_account = serializers.ChoiceField(
        choices=Account.values, help_text="The account of the balance that the money left."
    )
    to_account = serializers.ChoiceField(
        choices=Account.values, help_text="The account of the balance that the money reached."
    )
    balance_after = SentAmountField(
        source="total_after", help_text="The total of the balance after the movement."
    )
    source = serializers.CharField(  # type: ignore[assignment]  # as DRF has it
        allow_null=True,
        help_text=(
            "The ID of the object that caused it, such as a payout. Null for an opening balance."
        ),
    )
    created_at = serializers.DateTimeField(help_text="When the money moved.")


class TransactionViewSet(ListMixin, RetrieveMixin):
    """Balance movements."""

    product = "balances"
    resource = "transactions"
    queryset = LedgerEntry.objects.all()
    serializer_class = TransactionSerializer
    query_class = filters.of(LedgerEntry, TransactionSerializer, "currency", "source")
    words = "balance movements", "balance movement"
    example = TRANSACTION
