"""GET, POST /customers, GET, PATCH /customers/{id}: the customers of a business (2, Customer)."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from api.gateway.fields import StrictChoice, StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import customers, restricted_places
from api.sandbox.models import Customer, CustomerType
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of, sent_metadata
from api.v1.examples import customers as examples
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


class CustomerChange(StrictSerializer):
    """PATCH /customers/{id}: the members that change."""

    external_customer_id = StrictText(
        max_length=140, required=False, help_text="What you call the customer in your own system."
    )
    customer_type = StrictChoice(
        choices=CustomerType.values,
        required=False,
        help_text="A person or a business; `individual` where it is left out.",
    )
    legal_name = StrictText(
        max_length=140, required=False, help_text="The full name, as documents have it."
    )
    first_name = StrictText(max_length=70, required=False, help_text="The first name of a person.")
    last_name = StrictText(max_length=70, required=False, help_text="The last name of a person.")
    email = EmailField(required=False, help_text="The e-mail address.")
    phone = PhoneField(required=False, help_text="The telephone number with its country.")
    country = CountryField(required=False, help_text="The country of residence.")
    address = AddressSerializer(required=False, help_text="The postal address.")
    date_of_birth = DayField(required=False, help_text="The day of birth of a person.")
    metadata = MetadataField(required=False)


class CustomerBody(CustomerChange):
    """POST /customers: who the customer is."""

    legal_name = StrictText(max_length=140, help_text="The full name, as documents have it.")


class CustomerItem(Described):
    """A customer. What was not given is not there."""

    id = serializers.CharField(help_text="The id of the customer.")
    object = serializers.ChoiceField(choices=["customer"], help_text="What this is.")
    external_customer_id = serializers.CharField(
        required=False, help_text="What you call the customer in your own system."
    )
    customer_type = serializers.ChoiceField(
        choices=CustomerType.values, help_text="A person or a business."
    )
    legal_name = serializers.CharField(help_text="The full name.")
    first_name = serializers.CharField(required=False, help_text="The first name of a person.")
    last_name = serializers.CharField(required=False, help_text="The last name of a person.")
    email = serializers.CharField(required=False, help_text="The e-mail address.")
    phone = serializers.CharField(required=False, help_text="The telephone number.")
    country = serializers.CharField(required=False, help_text="The country of residence.")
    address = AddressSerializer(required=False, help_text="The postal address.")
    date_of_birth = serializers.DateField(required=False, help_text="The day of birth of a person.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you created it.")


RESOURCE = Resource(Customer, CustomerItem, provided=False)


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
    restricted_places.require_unrestricted_residence(
        body.get("country", ""), body.get("address", {})
    )


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/customers",
        "customers",
        "customers:read",
        ("customers", "customer"),
        examples.CUSTOMER,
    ),
    Operation(
        "customers.create",
        "POST",
        "/customers",
        product="customers",
        scope="customers:write",
        function=create,
        body=CustomerBody,
        answer=answer_of(CustomerItem),
        example=examples.NEW_CUSTOMER,
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
        answer=answer_of(CustomerItem),
        example=examples.CHANGED_CUSTOMER,
    ),
]
