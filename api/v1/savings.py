"""GET, POST /savings, POST .../deposit and .../withdraw: money that a business sets aside."""

from functools import partial

from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText
from api.payments import savings
from api.payments.disbursements import SAVINGS_MOVEMENTS
from api.payments.models import Savings, SavingsDirection, SavingsMovement
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
)
from api.v1 import disbursed, filters
from api.v1.examples import savings as examples
from api.v1.shared_fields import AmountField, CurrencyField, MetadataField, money_of
from api.viewsets import ListMixin, RetrieveMixin, operation


class SavingsCreateSerializer(StrictSerializer):
    """POST /savings: the purpose and the currency."""

    name = StrictText(max_length=140, help_text="Your own reference.")
    currency = CurrencyField(help_text="The currency or asset to save.")
    metadata = MetadataField(required=False)


class SavingsSerializer(ResourceSerializer):
    """A savings account. Its money is not part of the balance of its currency."""

    id = IdField(help_text="The ID of the savings account.")
    object = ObjectField("savings")
    name = serializers.CharField(help_text="Your own reference.")
    currency = SentCurrencyField()
    balance = SentAmountField(help_text="The amount saved, as a decimal string.")
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you opened the account.")


class SavingsMovementCreateSerializer(StrictSerializer):
    """POST /savings/{id}/deposit and /withdraw: the amount."""

    amount = AmountField(help_text="The amount, in the currency of the savings account.")


class SavingsMovementSerializer(ResourceSerializer):
    """A deposit to savings or a withdrawal from savings. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the movement.")
    object = ObjectField("savings_movement")
    savings_id = serializers.CharField(help_text="The ID of the savings account.")
    direction = serializers.ChoiceField(
        choices=SavingsDirection.values, help_text="Whether money is deposited or withdrawn."
    )
    status = disbursed.status(help_text="Whether the money is in transit, moved or returned.")
    amount = disbursed.amount()
    currency = disbursed.currency()
    failure = disbursed.failure()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at(help_text="When the money arrived, or null.")


_moves = partial(
    disbursed.operation,
    body=SavingsMovementCreateSerializer,
    answer=SavingsMovementSerializer,
)


class SavingsViewSet(ListMixin, RetrieveMixin):
    """Savings accounts."""

    product = resource = "savings"
    queryset = Savings.objects.all()
    serializer_class = SavingsSerializer
    query_class = filters.of(Savings, SavingsSerializer, "currency", "name")
    settle_due = SAVINGS_MOVEMENTS.settle_due
    words = "savings", "savings account"
    example = examples.SAVINGS

    @operation(body=SavingsCreateSerializer, status=201, financial=True, example=examples.NEW)
    def create(self, request: Request) -> Response:
        """Open a savings account in a currency."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        opened = self.new(Savings, serializer.validated_data)
        return self.answer(savings.create(opened, by=self.actor))

    @action(detail=True, methods=["post"])
    @_moves(example=examples.DEPOSIT)
    def deposit(self, request: Request) -> Response:
        """Move money from the balance to savings."""
        return self._move(request, SavingsDirection.DEPOSIT)

    @action(detail=True, methods=["post"])
    @_moves(example=examples.WITHDRAWAL)
    def withdraw(self, request: Request) -> Response:
        """Move money from savings back to the balance."""
        return self._move(request, SavingsDirection.WITHDRAWAL)

    def _move(self, request: Request, direction: SavingsDirection) -> Response:
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        own = self.get_object()
        movement = self.new(
            SavingsMovement,
            savings=own,
            direction=direction,
            amount=money_of(serializer.validated_data["amount"], own.currency).minor,
            currency=own.currency,
        )
        made = SAVINGS_MOVEMENTS.create(movement, tries=self.claim.tries, by=self.actor)
        return self.answer(made, SavingsMovementSerializer)
