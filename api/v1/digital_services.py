"""GET /digital-services, POST /digital-services/orders: airtime, data and bill payments."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import pagination
from api.fields import StrictChoice, StrictSerializer, StrictText
from api.payments import digital_services
from api.payments.digital_services import DigitalService, ServiceCategory
from api.payments.disbursements import SERVICE_ORDERS
from api.payments.models import ServiceOrder
from api.problems import Fault, invalid, unknown_id
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
)
from api.v1 import disbursed
from api.v1.examples import digital_services as examples
from api.v1.shared_fields import AmountField, CountryField, MetadataField
from api.validation import QuerySerializer
from api.viewsets import ResourceViewSet, RetrieveMixin, operation
from console.core.money import CURRENCIES, Money, NotMoney

_CATEGORIES = list(ServiceCategory)
_RECIPIENT = (
    "Send a telephone number like +2348012345678 for airtime and data, or a meter or customer"
    " number for bills."
)


class DigitalServiceQuerySerializer(QuerySerializer):
    """GET /digital-services: of every kind and country, or only the ones given."""

    category = StrictChoice(
        choices=_CATEGORIES, required=False, help_text="Only services of this type."
    )
    country = CountryField(required=False, help_text="Only services of this country.")


class DigitalServiceSerializer(ResourceSerializer):
    """A digital service. If the minimum equals the maximum, the price is fixed."""

    id = serializers.CharField(help_text="The id of the service.")
    object = ObjectField("digital_service")
    category = serializers.ChoiceField(choices=_CATEGORIES, help_text="The type of the service.")
    name = serializers.CharField(help_text="The name of the service.")
    country = serializers.CharField(help_text="The country where it is used.")
    currency = SentCurrencyField(help_text="The currency of the balance that pays for it.")
    min_amount = SentAmountField(help_text="The minimum amount.")
    max_amount = SentAmountField(help_text="The maximum amount.")


class DigitalServiceOrderCreateSerializer(StrictSerializer):
    """POST /digital-services/orders: the service, the recipient and the amount."""

    service_id = StrictText(max_length=40, help_text="The id of the service.")
    recipient = StrictText(
        pattern=r"[+0-9A-Za-z-]{4,30}",
        says="Send 4 to 30 letters, digits and hyphens.",
        help_text=(
            "The recipient: the telephone number with its country code for airtime and data, or "
            "the meter or customer number for bills."
        ),
    )
    amount = AmountField(help_text="The amount, in the currency of the service.")
    metadata = MetadataField(required=False)


class DigitalServiceOrderSerializer(ResourceSerializer):
    """A digital service order. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the order.")
    object = ObjectField("digital_service_order")
    status = disbursed.status()
    service_id = serializers.CharField(help_text="The id of the service.")
    recipient = serializers.CharField(help_text="The recipient.")
    amount = disbursed.amount()
    currency = disbursed.currency(help_text="The currency of the service.")
    fee = disbursed.fee()
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at(help_text="When you ordered it.")
    completed_at = disbursed.completed_at(help_text="When it was delivered, or null.")


class DigitalServiceViewSet(ResourceViewSet):
    """The digital services that can be ordered today."""

    product = resource = "digital_services"
    serializer_class = DigitalServiceSerializer
    example = examples.SERVICE

    @operation(many=True, query=DigitalServiceQuerySerializer, of_provider=True)
    def list(self, request: Request) -> Response:
        """List the digital services that you can order."""
        asked = self.parameters.items()
        found = [
            one
            for one in digital_services.available()
            if all(getattr(one, name) == value for name, value in asked)
        ]
        return pagination.whole(self.get_serializer(found, many=True).data)


class DigitalServiceOrderViewSet(RetrieveMixin):
    """Orders of digital services for a recipient."""

    product = "digital_services"
    resource = "digital_services_orders"
    queryset = ServiceOrder.objects.all()
    serializer_class = DigitalServiceOrderSerializer
    settle_due = SERVICE_ORDERS.settle_due
    words = "digital service orders", "digital service order"
    example = examples.SERVICE_ORDER

    @disbursed.operation(
        body=DigitalServiceOrderCreateSerializer,
        codes=["INSUFFICIENT_BALANCE", "STOCK_CONFLICT"],
        example=examples.NEW_SERVICE_ORDER,
    )
    def create(self, request: Request) -> Response:
        """Order a digital service."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        service = digital_services.find(body["service_id"])
        if service is None:
            raise unknown_id("service_id")
        if not service.reaches(body["recipient"]):
            raise invalid(Fault("/recipient", "wrong_shape", _RECIPIENT))
        order = self.new(
            ServiceOrder,
            body,
            amount=_price(service, body["amount"]).minor,
            currency=service.currency,
        )
        return self.answer(SERVICE_ORDERS.create(order, tries=self.claim.tries, by=self.actor))


def _price(service: DigitalService, amount: str) -> Money:
    """Return the amount in the service's currency. Raises an error outside its price range."""
    try:
        money = Money.parse(amount, service.currency)
    except NotMoney:
        said = f"This currency has at most {CURRENCIES[service.currency].exponent} decimal places."
        raise invalid(Fault("/amount", "wrong_shape", said)) from None
    if not service.least.minor <= money.minor <= service.most.minor:
        said = f"Send an amount from {service.min_amount} to {service.max_amount}."
        raise invalid(Fault("/amount", "out_of_range", said))
    return money
