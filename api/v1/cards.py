"""GET, POST /cards and what is done with a card; GET /card-transactions, and what makes one."""

from typing import Any

from rest_framework import serializers

from api.gateway.fields import StrictChoice, StrictSerializer, StrictText
from api.gateway.operations import TEST_HELPERS, ApiAnswer, Call, Operation, OperationFunction
from api.sandbox import cards, restricted_places
from api.sandbox.currencies import is_held
from api.sandbox.disbursements import CARD_TRANSACTIONS
from api.sandbox.lifecycle import CARD_STATUSES
from api.sandbox.models import Card, Cardholder, CardTransaction, CardType
from api.sandbox.provider import NoProvider
from api.sandbox.sandbox_provider import provider_for
from api.v1 import cardholders, disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedStatus, answer_of, sent_metadata
from api.v1.examples import cards as examples
from api.v1.resource import Resource, require_provider
from api.v1.rows import listing_row, reading_rows
from api.v1.shared_fields import AmountField, CurrencyField, MetadataField, money_in
from console.core.money import CURRENCIES


class CardBody(StrictSerializer):
    """POST /cards: for whom, and what kind (D-10)."""

    cardholder_id = StrictText(max_length=40, help_text="The id of the cardholder.")
    card_type = StrictChoice(choices=CardType.values, help_text="What the card is made of.")
    currency = CurrencyField(help_text="The currency of the balance that it pays from.")
    label = StrictText(  # type: ignore[assignment]  # as DRF has it
        max_length=140, required=False, help_text="What you call it yourself."
    )
    metadata = MetadataField(required=False)


class CardItem(Described):
    """A card. Its number is never shown: only the last four digits."""

    id = serializers.CharField(help_text="The id of the card.")
    object = serializers.ChoiceField(choices=["card"], help_text="What this is.")
    status = DescribedStatus(
        CARD_STATUSES,
        help_text="It pays while it is `active`. A physical card is `inactive` until its holder"
        " has it.",
    )
    cardholder_id = serializers.CharField(help_text="The id of the cardholder.")
    card_type = serializers.ChoiceField(
        choices=CardType.values, help_text="What the card is made of."
    )
    currency = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency of the balance that it pays from."
    )
    label = serializers.CharField(  # type: ignore[assignment]  # as DRF has it
        allow_null=True, help_text="What you call it yourself."
    )
    last4 = serializers.CharField(help_text="The last four digits of its number.")
    expiry_month = serializers.IntegerField(help_text="The month in which it expires, 1 to 12.")
    expiry_year = serializers.IntegerField(help_text="The year in which it expires.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When it was issued.")


class CardTransactionBody(StrictSerializer):
    """POST /test-helpers/cards/{id}/transactions: what the card pays, and where."""

    amount = AmountField(help_text="How much is paid, in the currency of the card.")
    merchant_name = StrictText(
        max_length=140, required=False, help_text="Who is paid; a test merchant where left out."
    )


class CardTransactionItem(Described):
    """What was paid with a card. `failure` is there once it was declined."""

    id = serializers.CharField(help_text="The id of the transaction.")
    object = serializers.ChoiceField(choices=["card_transaction"], help_text="What this is.")
    card_id = serializers.CharField(help_text="The id of the card.")
    status = disbursed.status()
    amount = disbursed.amount()
    currency = disbursed.currency()
    merchant_name = serializers.CharField(help_text="Who was paid.")
    failure = disbursed.failure("Why it was declined; null while it was not.")
    created_at = disbursed.created_at("When the card was used.")
    completed_at = disbursed.completed_at()


RESOURCE = Resource(Card, CardItem)
TRANSACTIONS = disbursed.resource(CardTransaction, CardTransactionItem, CARD_TRANSACTIONS)


def ask_issuer(call: Call) -> dict[str, Any]:
    """Have the issuer confirm a card; the same `Idempotency-Key` always names the same one."""
    require_provider(call)
    _holder(call)
    if not is_held(call.body["currency"], call.business.pk):
        raise NoProvider("The currency is not held.")
    reference = f"{call.business.public_id}:{call.idempotency_key}"
    issuer = provider_for(call.environment)
    issued = issuer.issue_card(reference, call.body.get("label", ""), tries=call.tries)
    return {
        "last4": issued.last4,
        "expiry_month": issued.expiry_month,
        "expiry_year": issued.expiry_year,
    }


def create(call: Call) -> ApiAnswer:
    """Issue a card; retried with the same Idempotency-Key, it is never a second one."""
    body = call.body
    card = Card(
        business=business_of(call),
        environment=call.environment,
        cardholder=_holder(call),
        card_type=body["card_type"],
        currency=body["currency"],
        **call.outcome,
        **{name: body[name] for name in ("label", "metadata") if name in body},
    )
    return RESOURCE.answer(cards.create(card, by=key_of(call)))


def pay(call: Call) -> ApiAnswer:
    """Pay with an active card, from the balance of its currency."""
    require_provider(call)
    card = RESOURCE.find(call, call.names["id"])
    money = money_in(card.currency, call.body["amount"])
    row = CardTransaction(
        business=business_of(call),
        environment=call.environment,
        card=card,
        amount=money.minor,
        currency=money.currency,
        merchant_name=call.body.get("merchant_name", "Test Merchant"),
    )
    paid = CARD_TRANSACTIONS.create(row, tries=call.tries, by=key_of(call))
    return TRANSACTIONS.answer(paid)


def _holder(call: Call) -> Cardholder:
    """Return the cardholder of a call; one whose country is restricted by now gets no card."""
    holder = cardholders.RESOURCE.find(call, call.body["cardholder_id"])
    restricted_places.require_unrestricted_residence(holder.country, holder.address)
    return holder


def _moving_row(path: str, function: OperationFunction, *left: str) -> Operation:
    """Return the row of a move; `left` is the status, and the type, of the example's card."""
    return Operation(
        f"cards.{path.rpartition('/')[2]}",
        "POST",
        path,
        product="cards",
        scope="cards:write",
        function=function,
        answer=answer_of(CardItem),
        example=examples.of_status(*left),
        codes=("NO_PROVIDER_ENABLED",),
    )


_HELPER = f"{TEST_HELPERS}cards/{{id}}"
OPERATIONS = [
    *reading_rows(RESOURCE, "/cards", "cards", "cards:read", ("cards", "card"), examples.CARD),
    Operation(
        "cards.create",
        "POST",
        "/cards",
        product="cards",
        scope="cards:write",
        function=create,
        ask=ask_issuer,
        body=CardBody,
        answer=answer_of(CardItem),
        example=examples.NEW_CARD,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
        kind="financial",
        financial=True,
    ),
    _moving_row(
        "/cards/{id}/freeze",
        RESOURCE.move("Freeze a card: it pays nothing until it is let on.", cards.freeze),
        "frozen",
    ),
    _moving_row(
        "/cards/{id}/unfreeze", RESOURCE.move("Let a frozen card on.", cards.unfreeze), "active"
    ),
    _moving_row(
        "/cards/{id}/terminate",
        RESOURCE.move("Terminate a card for good.", cards.terminate),
        "terminated",
    ),
    listing_row(
        TRANSACTIONS,
        "/card-transactions",
        "cards",
        "card_transactions:read",
        "what was paid with cards",
        examples.CARD_TRANSACTION,
    ),
    _moving_row(
        f"{_HELPER}/activate",
        RESOURCE.move("Activate a physical card, as its holder does.", cards.activate),
        "active",
        "physical",
    ),
    Operation(
        "cards.pay",
        "POST",
        f"{_HELPER}/transactions",
        product="cards",
        scope="cards:write",
        function=pay,
        body=CardTransactionBody,
        answer=answer_of(CardTransactionItem),
        example=examples.NEW_CARD_TRANSACTION,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
    ),
]
