"""GET /digital-services, POST /digital-services/orders: airtime, data and bills for somebody."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import pagination
from api.fields import StrictChoice, StrictSerializer, StrictText
from api.problems import ApiProblem, Fault, invalid
from api.sandbox import digital_services
from api.sandbox.digital_services import DigitalService, ServiceCategory
from api.sandbox.disbursements import SERVICE_ORDERS
from api.sandbox.models import ServiceOrder
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
from api.viewsets import ResourceViewSet, RetrieveMixin, operation
from console.core.money import CURRENCIES, Money, NotMoney

_CATEGORIES = list(ServiceCategory)
_RECIPIENT = (
    "Send a telephone number like +2348012345678 for airtime and data, and the number of the meter"
    " or the customer for bills."
)


class ServiceQuery(StrictSerializer):
    """GET /digital-services: of every kind and country, or of one."""

    unknown = "unknown_parameter"

    category = StrictChoice(
        choices=_CATEGORIES, required=False, help_text="Only services of this kind."
    )
    country = CountryField(required=False, help_text="Only services of this country.")


class ServiceItem(ResourceSerializer):
    """A service of the catalogue. Where least and most are equal, it has that price."""

    id = serializers.CharField(help_text="The id of the service.")
    object = ObjectField("digital_service")
    category = serializers.ChoiceField(choices=_CATEGORIES, help_text="Of what kind it is.")
    name = serializers.CharField(help_text="What it is.")
    country = serializers.CharField(help_text="The country in which it is used.")
    currency = SentCurrencyField(help_text="The currency of the balance that pays.")
    min_amount = SentAmountField(help_text="The least that it is sold for.")
    max_amount = SentAmountField(help_text="The most that it is sold for.")


class ServiceOrderBody(StrictSerializer):
    """POST /digital-services/orders: what, for whom, for how much."""

    service_id = StrictText(max_length=40, help_text="The id of the service.")
    recipient = StrictText(
        pattern=r"[+0-9A-Za-z-]{4,30}",
        says="Send 4 to 30 letters, digits and hyphens.",
        help_text="Who receives it: the telephone number with its country for airtime and data, the"
        " number of the meter or the customer for bills.",
    )
    amount = AmountField(help_text="How much, in the currency of the service.")
    metadata = MetadataField(required=False)


class ServiceOrderItem(ResourceSerializer):
    """An order of a digital service. `failure` is there once it has failed."""

    id = IdField(help_text="The id of the order.")
    object = ObjectField("digital_service_order")
    status = disbursed.status()
    service_id = serializers.CharField(help_text="The id of the service.")
    recipient = serializers.CharField(help_text="Who receives it.")
    amount = disbursed.amount()
    currency = disbursed.currency(help_text="The currency of the service.")
    fee = disbursed.fee()
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at(help_text="When you ordered it.")
    completed_at = disbursed.completed_at(help_text="When it was delivered; null before.")


class DigitalServices(ResourceViewSet):
    """The digital services that can be ordered today."""

    product = resource = "digital_services"
    serializer_class = ServiceItem
    example = examples.SERVICE

    @operation(many=True, query=ServiceQuery)
    def list(self, request: Request) -> Response:
        """List the digital services that can be ordered today."""
        asked = self.parameters.items()
        found = [
            one
            for one in digital_services.available()
            if all(getattr(one, name) == value for name, value in asked)
        ]
        return pagination.whole(self.get_serializer(found, many=True).data)


class DigitalServiceOrders(RetrieveMixin):
    """Digital services that a business buys for somebody."""

    product = "digital_services"
    resource = "digital_services_orders"
    queryset = ServiceOrder.objects.all()
    serializer_class = ServiceOrderItem
    settle_due = SERVICE_ORDERS.settle_due
    words = "orders of digital services", "order of a digital service"
    example = examples.SERVICE_ORDER

    @operation(
        body=ServiceOrderBody,
        status=201,
        codes=["INSUFFICIENT_BALANCE", "STOCK_CONFLICT"],
        financial=True,
        example=examples.NEW_SERVICE_ORDER,
    )
    def create(self, request: Request) -> Response:
        """Order a digital service for somebody."""
        service = digital_services.find(self.body["service_id"])
        if service is None:
            raise ApiProblem("NOT_FOUND")
        if not service.reaches(self.body["recipient"]):
            raise invalid(Fault("/recipient", "wrong_shape", _RECIPIENT))
        order = self.new(
            ServiceOrder,
            amount=_price(service, self.body["amount"]).minor,
            currency=service.currency,
            **self.given("service_id", "recipient", "metadata"),
        )
        return self.answer(SERVICE_ORDERS.create(order, tries=self.tries, by=self.actor))


def _price(service: DigitalService, amount: str) -> Money:
    """Return the amount in the currency of the service, or refuse one that it is not sold for."""
    try:
        money = Money.parse(amount, service.currency)
    except NotMoney:
        said = f"This currency has at most {CURRENCIES[service.currency].exponent} decimal places."
        raise invalid(Fault("/amount", "wrong_shape", said)) from None
    if not service.least.minor <= money.minor <= service.most.minor:
        said = f"Send an amount from {service.min_amount} to {service.max_amount}."
        raise invalid(Fault("/amount", "out_of_range", said))
    return money
