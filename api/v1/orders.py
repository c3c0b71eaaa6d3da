"""POST /orders: ask a payer for an amount, on a page of its own."""

from typing import Any

import pycountry
from django.conf import settings
from django.urls import reverse
from rest_framework import serializers

from api.gateway.envelopes import SECOND_FAMILY, succeeded
from api.gateway.fields import StrictChoice, StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import orders
from api.sandbox.models import Order
from api.v1.callers import business_of, key_of
from api.v1.described import Described, result_of
from api.v1.examples import second_family as examples
from api.v1.numbers import AmountNumberField, money_of_number
from api.v1.resource import require_provider
from api.v1.shared_fields import EmailField, PhoneField
from console.core.money import CURRENCIES
from onboarding import application_facts

# What banks transfer: an asset is paid otherwise.
_OF_BANKS = [code for code in CURRENCIES if pycountry.currencies.get(alpha_3=code)]


class OrderCustomer(StrictSerializer):
    """Who is to pay."""

    first_name = StrictText(max_length=70, required=False, help_text="The first name.")
    last_name = StrictText(max_length=70, required=False, help_text="The last name.")
    email = EmailField(help_text="The e-mail address.")
    phone_number = PhoneField(required=False, help_text="The telephone number with its country.")


class OrderBody(StrictSerializer):
    """POST /orders: how much, for what, and of whom."""

    reference = StrictText(max_length=140, help_text="What you call the order; the payer sees it.")
    currency_code = StrictChoice(choices=_OF_BANKS, help_text="The currency.")
    amount = AmountNumberField(
        help_text="The amount, above zero, with at most the decimals of its currency."
    )
    description = StrictText(max_length=500, required=False, help_text="What is paid for.")
    customer = OrderCustomer(help_text="Who is to pay. The page of the order shows nothing of it.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": money_of_number(attrs["amount"], attrs["currency_code"])}


class OrderItem(Described):
    """An order, and where it is paid."""

    recipient_name = serializers.CharField(help_text="Who is paid: your registered name.")
    reference = serializers.CharField(help_text="What you call the order.")
    amount = serializers.CharField(help_text="The amount, as a decimal text.")
    currencyCode = serializers.ChoiceField(  # noqa: N815
        choices=_OF_BANKS, help_text="The currency."
    )
    url = serializers.URLField(help_text="The page to send the payer to.")
    channels = serializers.ListField(
        child=serializers.CharField(), help_text="How the order can be paid there."
    )


def create(call: Call) -> ApiAnswer:
    """Create an order with a page on which it is paid."""
    require_provider(call)
    body = call.body
    order = Order(
        business=business_of(call),
        environment=call.environment,
        reference=body["reference"],
        amount=body["money"].minor,
        currency=body["money"].currency,
        description=body.get("description", ""),
        customer=body["customer"],
    )
    return ApiAnswer(
        succeeded("Operation Successful", _shown(orders.create(order, by=key_of(call))))
    )


def _shown(order: Order) -> dict[str, Any]:
    page = reverse("api:order", args=[order.token])
    return {
        "recipient_name": application_facts.legal_name(order.business),
        "reference": order.reference,
        "amount": order.money.decimal(),
        "currencyCode": order.currency,
        "url": f"{settings.BASE_URL.rstrip('/')}{page}",
        "channels": list(orders.CHANNELS),
    }


OPERATIONS = [
    Operation(
        "orders.create",
        "POST",
        "/orders",
        product="checkout",
        scope="checkout:write",
        function=create,
        body=OrderBody,
        answer=result_of(OrderItem),
        envelope=SECOND_FAMILY,
        example=examples.NEW_ORDER,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
    )
]
