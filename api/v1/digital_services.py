"""GET /digital-services, POST /digital-services/orders: airtime, data and bills for somebody."""

from rest_framework import serializers

from api.gateway import pages
from api.gateway.fields import StrictChoice, StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.problems import ApiProblem, Fault, invalid
from api.sandbox import digital_services
from api.sandbox.digital_services import DigitalService, ServiceCategory
from api.sandbox.disbursements import SERVICE_ORDERS
from api.sandbox.models import ServiceOrder
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, answer_of, page_of, sent_metadata
from api.v1.examples import digital_services as examples
from api.v1.resource import require_provider
from api.v1.rows import reading_row
from api.v1.shared_fields import AmountField, CountryField, MetadataField
from console.core.money import CURRENCIES, Money, NotMoney

_PRODUCT = "digital_services"
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


class ServiceItem(Described):
    """A service of the catalogue. Where least and most are equal, it has that price."""

    id = serializers.CharField(help_text="The id of the service.")
    object = serializers.ChoiceField(choices=["digital_service"], help_text="What this is.")
    category = serializers.ChoiceField(choices=_CATEGORIES, help_text="Of what kind it is.")
    name = serializers.CharField(help_text="What it is.")
    country = serializers.CharField(help_text="The country in which it is used.")
    currency = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency of the balance that pays."
    )
    min_amount = DescribedAmount("currency", help_text="The least that it is sold for.")
    max_amount = DescribedAmount("currency", help_text="The most that it is sold for.")


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


class ServiceOrderItem(Described):
    """An order of a digital service. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the order.")
    object = serializers.ChoiceField(choices=["digital_service_order"], help_text="What this is.")
    status = disbursed.status()
    service_id = serializers.CharField(help_text="The id of the service.")
    recipient = serializers.CharField(help_text="Who receives it.")
    amount = disbursed.amount()
    currency = disbursed.currency("The currency of the service.")
    fee = disbursed.fee()
    failure = disbursed.failure()
    metadata = sent_metadata()
    created_at = disbursed.created_at("When you ordered it.")
    completed_at = disbursed.completed_at("When it was delivered; null before.")


RESOURCE = disbursed.resource(ServiceOrder, ServiceOrderItem, SERVICE_ORDERS)


def list_services(call: Call) -> ApiAnswer:
    """List the digital services that can be ordered today."""
    require_provider(call)
    asked = call.parameters
    found = [
        one
        for one in digital_services.available()
        if all(getattr(one, name) == asked[name] for name in asked)
    ]
    return pages.whole([_service(one) for one in found])


def create(call: Call) -> ApiAnswer:
    """Order a digital service for somebody."""
    require_provider(call)
    body = call.body
    service = digital_services.find(body["service_id"])
    if service is None:
        raise ApiProblem("NOT_FOUND")
    if not service.reaches(body["recipient"]):
        raise invalid(Fault("/recipient", "wrong_shape", _RECIPIENT))
    money = _price(service, body["amount"])
    order = ServiceOrder(
        business=business_of(call),
        environment=call.environment,
        amount=money.minor,
        currency=money.currency,
        service_id=service.id,
        **{name: body[name] for name in ("recipient", "metadata") if name in body},
    )
    return RESOURCE.answer(SERVICE_ORDERS.create(order, tries=call.tries, by=key_of(call)))


def _service(one: DigitalService) -> dict[str, str]:
    return {
        "id": one.id,
        "object": "digital_service",
        "category": one.category,
        "name": one.name,
        "country": one.country,
        "currency": one.currency,
        "min_amount": one.min_amount,
        "max_amount": one.max_amount,
    }


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


OPERATIONS = [
    Operation(
        "digital_services.list",
        "GET",
        "/digital-services",
        product=_PRODUCT,
        scope="digital_services:read",
        function=list_services,
        query=ServiceQuery,
        answer=page_of(ServiceItem),
        example=examples.SERVICES,
        codes=("NO_PROVIDER_ENABLED",),
    ),
    reading_row(
        RESOURCE,
        "/digital-services/orders",
        _PRODUCT,
        "digital_services:read",
        "order of a digital service",
        examples.SERVICE_ORDER,
    ),
    Operation(
        "digital_services_orders.create",
        "POST",
        "/digital-services/orders",
        product=_PRODUCT,
        scope="digital_services:write",
        function=create,
        body=ServiceOrderBody,
        answer=answer_of(ServiceOrderItem),
        example=examples.NEW_SERVICE_ORDER,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED", "STOCK_CONFLICT"),
        kind="financial",
        financial=True,
    ),
]
