"""GET, POST /customers, GET, PATCH /customers/{id}: a business's customers (2, Customer)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictSerializer, StrictText
from api.payments import restricted_places, scoping
from api.payments.models import Customer, CustomerType
from api.serializers import IdField, ObjectField, ResourceSerializer, SentMetadataField
from api.v1 import filters
from api.v1.examples import customers as examples
from api.v1.shared_fields import (
    AddressSerializer,
    CountryField,
    DayField,
    EmailField,
    MetadataField,
    PhoneField,
)
from api.viewsets import ListMixin, RetrieveMixin, operation


class CustomerUpdateSerializer(StrictSerializer):
    """PATCH /customers/{id}: the fields to change. Null clears a field."""

    null_clears = True

    external_customer_id = StrictText(
        max_length=140,
        required=False,
        allow_null=True,
        help_text="Your own reference for the customer.",
    )
    customer_type = StrictChoice(
        choices=CustomerType.values,
        required=False,
        help_text="A person or a business. `individual` by default.",
    )
    legal_name = StrictText(
        max_length=140, required=False, help_text="The full name, as shown on documents."
    )
    first_name = StrictText(
        max_length=70, required=False, allow_null=True, help_text="The first name of a person."
    )
    last_name = StrictText(
        max_length=70, required=False, allow_null=True, help_text="The last name of a person."
    )
    email = EmailField(required=False, allow_null=True, help_text="The e-mail address.")
    phone = PhoneField(
        required=False, allow_null=True, help_text="The telephone number with its country code."
    )
    country = CountryField(required=False, allow_null=True, help_text="The country of residence.")
    address = AddressSerializer(required=False, allow_null=True, help_text="The postal address.")
    date_of_birth = DayField(
        birth=True, required=False, allow_null=True, help_text="The date of birth of a person."
    )
    metadata = MetadataField(required=False)


class CustomerCreateSerializer(CustomerUpdateSerializer):
    """POST /customers: the customer."""

    null_clears = False

    legal_name = StrictText(max_length=140, help_text="The full name, as shown on documents.")


class CustomerSerializer(ResourceSerializer):
    """A customer. Contains only the fields that you set."""

    id = IdField(help_text="The id of the customer.")
    object = ObjectField("customer")
    external_customer_id = serializers.CharField(
        required=False, help_text="Your own reference for the customer."
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
    date_of_birth = serializers.DateField(
        required=False, help_text="The date of birth of a person."
    )
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class CustomerViewSet(ListMixin, RetrieveMixin):
    """A business's customers."""

    product = resource = "customers"
    needs_provider = False
    queryset = Customer.objects.all()
    serializer_class = CustomerSerializer
    query_class = filters.of(Customer, CustomerSerializer, "external_customer_id", "email")
    words = "customers", "customer"
    example = examples.CUSTOMER

    @operation(body=CustomerCreateSerializer, status=201, example=examples.NEW_CUSTOMER)
    def create(self, request: Request) -> Response:
        """Create a customer."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        self._refuse_restricted(serializer.validated_data)
        customer = self.new(Customer, serializer.validated_data)
        return self.answer(scoping.create(customer, "customer.created", by=self.actor))

    @operation(body=CustomerUpdateSerializer, example=examples.CHANGED_CUSTOMER)
    def partial_update(self, request: Request) -> Response:
        """Change fields of a customer."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        customer = self.get_object()
        self._refuse_restricted(body)
        return self.answer(scoping.change(customer, body, "customer.changed", by=self.actor))

    def _refuse_restricted(self, body: dict[str, Any]) -> None:
        restricted_places.require_unrestricted_residence(
            body.get("country") or "", body.get("address") or {}
        )
