"""POST /orders: request an amount from a payer on a payment page."""

from typing import Any

import pycountry
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictSerializer, StrictText
from api.payments import orders
from api.payments.models import Order
from api.renderers import ResultRenderer, succeeded
from api.serializers import ResourceSerializer
from api.v1.examples import second_family as examples
from api.v1.numbers import AmountNumberField, money_of_number
from api.v1.shared_fields import EmailField, PhoneField
from api.viewsets import ResourceViewSet, operation
from console.core.money import CURRENCIES

# Currencies that banks transfer; assets are paid in other ways.
_OF_BANKS = [code for code in CURRENCIES if pycountry.currencies.get(alpha_3=code)]


class OrderCustomerSerializer(StrictSerializer):
    """The payer."""

    first_name = StrictText(max_length=70, required=False, help_text="The first name.")
    last_name = StrictText(max_length=70, required=False, help_text="The last name.")
    email = EmailField(help_text="The e-mail address.")
    phone_number = PhoneField(
        required=False, help_text="The telephone number with its country code."
    )


class OrderCreateSerializer(StrictSerializer):
    """POST /orders: the amount, the description and the payer."""

    reference = StrictText(
        max_length=140,
        help_text="Your own reference, one for each order. The payer does not see it.",
    )
    currency_code = StrictChoice(choices=_OF_BANKS, help_text="The currency.")
    amount = AmountNumberField(
        help_text="The amount, above zero, with no more decimals than the currency has."
    )
    description = StrictText(
        max_length=500, required=False, prose=True, help_text="The description of the payment."
    )
    customer = OrderCustomerSerializer(
        help_text="The payer. We do not show this on the payment page."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": money_of_number(attrs["amount"], attrs["currency_code"])}


class OrderSerializer(ResourceSerializer):
    """An order and its payment page."""

    recipient_name = serializers.CharField(help_text="The recipient: your registered name.")
    reference = serializers.CharField(help_text="Your own reference for the order.")
    amount = serializers.CharField(
        source="money.decimal", help_text="The amount, as a decimal string."
    )
    currencyCode = serializers.ChoiceField(  # noqa: N815
        source="currency", choices=_OF_BANKS, help_text="The currency."
    )
    url = serializers.URLField(help_text="The payment page for the payer.")
    channels = serializers.ListField(
        source="CHANNELS",
        child=serializers.CharField(),
        help_text="The payment methods on the page.",
    )


class OrderViewSet(ResourceViewSet):
    """Payment requests, each with its own page."""

    product = scope = "checkout"
    resource = "orders"
    renderer_classes = (ResultRenderer,)
    serializer_class = OrderSerializer

    @operation(body=OrderCreateSerializer, status=201, example=examples.NEW_ORDER)
    def create(self, request: Request) -> Response:
        """Create an order with a payment page.

        The same reference with the same fields returns the first order, even if its page has
        ended. With other fields it is a conflict.
        """
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        order = self.new(
            Order,
            body,
            amount=body["money"].minor,
            currency=body["money"].currency,
        )
        order = orders.create(order, by=self.actor)
        shown = OrderSerializer(order).data
        return self.respond(succeeded("Operation Successful", shown, at=order.created_at))
