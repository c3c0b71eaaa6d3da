"""GET, POST /beneficiaries, GET, DELETE /beneficiaries/{id}: recipients of transfers."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText
from api.payments import beneficiaries, restricted_places, scoping
from api.payments.models import Beneficiary
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentCurrencyField,
    SentMetadataField,
)
from api.v1 import filters
from api.v1.examples import remittance as examples
from api.v1.shared_fields import (
    BankAccountSerializer,
    CountryField,
    CurrencyField,
    MetadataField,
)
from api.v1.shared_serializers import SentBankAccountSerializer
from api.viewsets import ListMixin, RetrieveMixin, operation


class BeneficiaryCreateSerializer(StrictSerializer):
    """POST /beneficiaries: the recipient and the account."""

    name = StrictText(max_length=140, help_text="The recipient’s name.")
    country = CountryField(help_text="The destination country.")
    currency = CurrencyField(help_text="The currency that the recipient receives.")
    account = BankAccountSerializer(help_text="The recipient’s bank account.")
    metadata = MetadataField(required=False)


class BeneficiarySerializer(ResourceSerializer):
    """A beneficiary. `account` is a bank account."""

    id = IdField(help_text="The id of the beneficiary.")
    object = ObjectField("beneficiary")
    name = serializers.CharField(help_text="The recipient’s name.")
    country = serializers.CharField(help_text="The destination country.")
    currency = SentCurrencyField(help_text="The currency that the recipient receives.")
    account = SentBankAccountSerializer(help_text="The recipient’s bank account.")
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class DeletedSerializer(ResourceSerializer):
    """The ID of a deleted object."""

    id = IdField(help_text="The ID of the deleted object.")
    object = serializers.CharField(help_text="The type of the deleted object.")
    deleted = serializers.BooleanField(help_text="Always true.")


class BeneficiaryViewSet(ListMixin, RetrieveMixin):
    """Beneficiaries, the recipients of transfers."""

    product = "remittance"
    resource = scope = "beneficiaries"
    needs_provider = False
    queryset = Beneficiary.objects.all()
    serializer_class = BeneficiarySerializer
    query_class = filters.of(Beneficiary, BeneficiarySerializer, "currency")
    words = "beneficiaries", "beneficiary"
    example = examples.BENEFICIARY

    @operation(body=BeneficiaryCreateSerializer, status=201, example=examples.NEW_BENEFICIARY)
    def create(self, request: Request) -> Response:
        """Create a beneficiary."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        restricted_places.require_unrestricted_destination(body["country"])
        one = self.new(Beneficiary, body)
        return self.answer(scoping.create(one, "beneficiary.created", by=self.actor))

    @operation(answer=DeletedSerializer, example=examples.DELETED_BENEFICIARY)
    def destroy(self, request: Request) -> Response:
        """Delete a beneficiary. Transfers in progress continue."""
        one = self.get_object()
        beneficiaries.remove(one, by=self.actor)
        return self.respond({"id": one.public_id, "object": "beneficiary", "deleted": True})
