"""GET, POST /customers, GET, PATCH /customers/{id}: the customers of a business (2, Customer)."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from api.gateway.calls import ApiAnswer, Call
from api.gateway.fields import StrictChoice, StrictSerializer, StrictText
from api.gateway.operations import Operation
from api.resources.customers import customers
from api.resources.customers.models import Customer, CustomerType
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of
from api.v1.resource import Resource
from api.v1.rows import reading_rows
from api.v1.shared_fields import (
    AddressSerializer,
    CountryField,
    DayField,
    EmailField,
    MetadataField,
    PhoneField,
)
from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace


class CustomerChange(StrictSerializer):
    """PATCH /customers/{id}: the members that change."""

    external_customer_id = StrictText(max_length=140, required=False)
    customer_type = StrictChoice(choices=CustomerType.values, required=False)
    legal_name = StrictText(max_length=140, required=False)
    first_name = StrictText(max_length=70, required=False)
    last_name = StrictText(max_length=70, required=False)
    email = EmailField(required=False)
    phone = PhoneField(required=False)
    country = CountryField(required=False)
    address = AddressSerializer(required=False)
    date_of_birth = DayField(required=False)
    metadata = MetadataField(required=False)


class CustomerBody(CustomerChange):
    """POST /customers: who the customer is."""

    legal_name = StrictText(max_length=140)


class CustomerItem(Described):
    """A customer. What was not given is not there."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["customer"])
    external_customer_id = serializers.CharField(required=False)
    customer_type = serializers.ChoiceField(choices=CustomerType.values)
    legal_name = serializers.CharField()
    first_name = serializers.CharField(required=False)
    last_name = serializers.CharField(required=False)
    email = serializers.CharField(required=False)
    phone = serializers.CharField(required=False)
    country = serializers.CharField(required=False)
    address = AddressSerializer(required=False)
    date_of_birth = serializers.DateField(required=False)
    metadata = serializers.DictField(child=serializers.CharField(allow_blank=True))
    created_at = serializers.DateTimeField()


RESOURCE = Resource(Customer, CustomerItem, provided=False)
EXAMPLE = {
    "external_customer_id": "C-1001",
    "customer_type": "individual",
    "legal_name": "Ada Obi",
    "first_name": "Ada",
    "last_name": "Obi",
    "email": "ada@shop.example",
    "phone": "+2348012345678",
    "country": "NG",
    "address": {"line1": "1 Marina", "city": "Lagos", "country": "NG"},
    "date_of_birth": "1990-05-17",
    "metadata": {"segment": "retail"},
}


def create(call: Call) -> ApiAnswer:
    """Create a customer."""
    _refuse_restricted(call.body)
    customer = Customer(business=business_of(call), environment=call.environment, **call.body)
    return RESOURCE.answer(customers.create(customer, by=key_of(call)))


def change(call: Call) -> ApiAnswer:
    """Change the members of a customer that are given."""
    customer = RESOURCE.find(call, call.names["id"])
    _refuse_restricted(call.body)
    return RESOURCE.answer(customers.change(customer, call.body, by=key_of(call)))


def _refuse_restricted(body: Mapping[str, Any]) -> None:
    stated = [StatedPlace(body.get("country", ""), RestrictionScope.RESIDENCE)]
    stated.append(StatedPlace(body.get("address", {}).get("country", ""), RestrictionScope.ADDRESS))
    refusing.require_none([place for place in stated if place.country])


OPERATIONS = [
    *reading_rows(RESOURCE, "/customers", "customers", "customers:read", ("customers", "customer")),
    Operation(
        "customers.create",
        "POST",
        "/customers",
        product="customers",
        scope="customers:write",
        function=create,
        body=CustomerBody,
        example=EXAMPLE,
        answer=answer_of(CustomerItem),
        status=201,
    ),
    Operation(
        "customers.change",
        "PATCH",
        "/customers/{id}",
        product="customers",
        scope="customers:write",
        function=change,
        body=CustomerChange,
        example={
            "email": "ada.obi@shop.example",
            "phone": "+2348012345679",
            "metadata": {"segment": "wholesale"},
        },
        answer=answer_of(CustomerItem),
    ),
]
