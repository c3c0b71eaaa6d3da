"""GET, POST /cards and actions on a card; GET /card-transactions, and its test helper."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictSerializer, StrictText
from api.payments import cards, restricted_places
from api.payments.currencies import is_held
from api.payments.disbursements import CARD_TRANSACTIONS
from api.payments.lifecycle import CARD_STATUSES
from api.payments.models import Card, Cardholder, CardTransaction, CardType
from api.providers.interface import CardOrder, CurrencyNotAvailable
from api.providers.issuing import issuer_for
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentCurrencyField,
    SentMetadataField,
    StatusField,
)
from api.v1 import disbursed, filters
from api.v1.examples import cards as examples
from api.v1.shared_fields import AmountField, CurrencyField, MetadataField, money_of
from api.viewsets import ListMixin, ResourceViewSet, RetrieveMixin, operation
from console.core import ids


class CardCreateSerializer(StrictSerializer):
    """POST /cards: the cardholder and the card type."""

    cardholder_id = StrictText(max_length=40, help_text="The id of the cardholder.")
    card_type = StrictChoice(
        choices=CardType.values, help_text="Whether the card is virtual or physical."
    )
    currency = CurrencyField(help_text="The currency of the balance that the card pays from.")
    label = StrictText(  # type: ignore[assignment]  # as DRF has it
        max_length=140, required=False, allow_null=True, help_text="Your own reference."
    )
    metadata = MetadataField(required=False)


class CardSerializer(ResourceSerializer):
    """A card. We show only the last four digits of its number."""

    id = IdField(help_text="The id of the card.")
    object = ObjectField("card")
    status = StatusField(
        CARD_STATUSES,
        help_text=(
            "You can pay with the card while it is `active`. A physical card is `inactive` until "
            "its holder receives it."
        ),
    )
    cardholder_id = serializers.CharField(help_text="The id of the cardholder.")
    card_type = serializers.ChoiceField(
        choices=CardType.values, help_text="Whether the card is virtual or physical."
    )
    currency = SentCurrencyField(help_text="The currency of the balance that the card pays from.")
    label = serializers.CharField(  # type: ignore[assignment]  # as DRF has it
        allow_null=True, help_text="Your own reference."
    )
    last4 = serializers.CharField(help_text="The last four digits of the card number.")
    expiry_month = serializers.IntegerField(help_text="The expiry month, 1 to 12.")
    expiry_year = serializers.IntegerField(help_text="The expiry year.")
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When it was issued.")


class CardTransactionCreateSerializer(StrictSerializer):
    """POST /test-helpers/cards/{id}/transactions: the amount and the merchant."""

    amount = AmountField(help_text="The amount, in the currency of the card.")
    merchant_name = StrictText(
        max_length=140, required=False, help_text="The merchant. A test merchant by default."
    )


class CardTransactionSerializer(ResourceSerializer):
    """A card payment. Contains `failure` if it was declined."""

    id = IdField(help_text="The id of the transaction.")
    object = ObjectField("card_transaction")
    card_id = serializers.CharField(help_text="The id of the card.")
    status = disbursed.status()
    amount = disbursed.amount()
    currency = disbursed.currency()
    merchant_name = serializers.CharField(help_text="The merchant.")
    failure = disbursed.failure(help_text="Why it was declined, or null.")
    created_at = disbursed.created_at(help_text="When the card was used.")
    completed_at = disbursed.completed_at()


class CardViewSet(ListMixin, RetrieveMixin):
    """Cards that pay from a balance."""

    product = resource = "cards"
    queryset = Card.objects.all()
    serializer_class = CardSerializer
    query_class = filters.of(Card, CardSerializer, "status", "currency", "label", "cardholder_id")
    words = "cards", "card"
    example = examples.CARD

    @operation(
        body=CardCreateSerializer,
        status=201,
        financial=True,
        ask="ask_issuer",
        example=examples.NEW_CARD,
    )
    def create(self, request: Request) -> Response:
        """Issue a card. Retry with the same Idempotency-Key to avoid a second card."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        card = self.new(
            Card,
            serializer.validated_data,
            cardholder=self._find_holder(serializer.validated_data),
            **self.claim.outcome,
        )
        return self.answer(cards.create(card, by=self.actor))

    def ask_issuer(self, body: dict[str, Any]) -> dict[str, Any]:
        """Request the card from its issuer; the same Idempotency-Key always gives the same card."""
        holder = self._find_holder(body)
        if not is_held(body["currency"], self.business.pk):
            raise CurrencyNotAvailable(body["currency"], field="currency")
        cards.require_screened(holder)
        key = f"{self.business.public_id}:{self.environment}:{self.claim.key}"
        order = CardOrder(
            card_id=ids.derived("crd", key),
            business=self.business.public_id,
            currency=body["currency"],
            card_type=body["card_type"],
            label=body.get("label") or "",
            holder={
                "first_name": holder.first_name,
                "last_name": holder.last_name,
                "date_of_birth": holder.date_of_birth.isoformat(),
                "country": holder.country,
                "address": holder.address,
            },
        )
        issued = issuer_for(self.environment).issue_card(order, tries=self.claim.tries)
        return {"public_id": order.card_id, **asdict(issued)}

    def _find_holder(self, body: dict[str, Any]) -> Cardholder:
        """Return the cardholder; one whose country is restricted by now gets no card."""
        holder = self.find_named(Cardholder.objects.all(), "cardholder_id", body)
        restricted_places.require_unrestricted_residence(
            holder.country, holder.address, member="cardholder_id"
        )
        return holder

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("frozen"))
    def freeze(self, request: Request) -> Response:
        """Freeze a card. You cannot pay with it until you unfreeze it."""
        return self.answer(cards.freeze(self.get_object(), by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("active"))
    def unfreeze(self, request: Request) -> Response:
        """Unfreeze a card."""
        return self.answer(cards.unfreeze(self.get_object(), by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("terminated"))
    def terminate(self, request: Request) -> Response:
        """Terminate a card permanently."""
        return self.answer(cards.terminate(self.get_object(), by=self.actor))


class CardTransactionViewSet(ListMixin):
    """Card payments."""

    product = "cards"
    resource = scope = "card_transactions"
    queryset = CardTransaction.objects.all()
    serializer_class = CardTransactionSerializer
    query_class = filters.of(
        CardTransaction, CardTransactionSerializer, "status", "currency", "card_id"
    )
    settle_due = CARD_TRANSACTIONS.settle_due
    words = "card transactions", "card transaction"
    example = examples.CARD_TRANSACTION


class CardTestHelperViewSet(ResourceViewSet):
    """Test helpers that act as the cardholder."""

    product = resource = "cards"
    queryset = Card.objects.all()
    serializer_class = CardSerializer

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("active", "physical"))
    def activate(self, request: Request) -> Response:
        """Activate a physical card, as its holder would."""
        return self.answer(cards.activate(self.get_object(), by=self.actor))

    @action(detail=True, methods=["post"], url_path="transactions")
    @operation(
        body=CardTransactionCreateSerializer,
        answer=CardTransactionSerializer,
        status=201,
        codes=["INSUFFICIENT_BALANCE"],
        example=examples.NEW_CARD_TRANSACTION,
    )
    def pay(self, request: Request) -> Response:
        """Pay with an active card, from the balance of its currency."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        card = self.get_object()
        row = self.new(
            CardTransaction,
            card=card,
            amount=money_of(body["amount"], card.currency).minor,
            currency=card.currency,
            merchant_name=body.get("merchant_name", "Test Merchant"),
        )
        paid = CARD_TRANSACTIONS.create(row, tries=self.claim.tries, by=self.actor)
        return self.answer(paid, CardTransactionSerializer)
