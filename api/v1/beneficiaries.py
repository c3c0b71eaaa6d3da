"""GET, POST /beneficiaries, GET, DELETE /beneficiaries/{id}: whom a business pays."""

from rest_framework import serializers

from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import customers, restricted_places
from api.sandbox.models import Beneficiary
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of, sent_metadata
from api.v1.examples import remittance as examples
from api.v1.resource import Resource
from api.v1.rows import reading_rows
from api.v1.shapes import SentBankAccount
from api.v1.shared_fields import (
    BankAccountSerializer,
    CountryField,
    CurrencyField,
    MetadataField,
)
from console.core.money import CURRENCIES


class BeneficiaryBody(StrictSerializer):
    """POST /beneficiaries: who receives, and where."""

    name = StrictText(max_length=140, help_text="Who receives the money.")
    country = CountryField(help_text="The country that the money goes to.")
    currency = CurrencyField(help_text="The currency that is received.")
    account = BankAccountSerializer(help_text="The account that receives it.")
    metadata = MetadataField(required=False)


class BeneficiaryItem(Described):
    """A beneficiary. `account` is a bank account."""

    id = serializers.CharField(help_text="The id of the beneficiary.")
    object = serializers.ChoiceField(choices=["beneficiary"], help_text="What this is.")
    name = serializers.CharField(help_text="Who receives the money.")
    country = serializers.CharField(help_text="The country that the money goes to.")
    currency = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency that is received."
    )
    account = SentBankAccount(help_text="The account that receives it.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class DeletedShape(Described):
    """What is left of an object that was deleted: its id."""

    id = serializers.CharField(help_text="The id of what was deleted.")
    object = serializers.CharField(help_text="What it was.")
    deleted = serializers.BooleanField(help_text="Always true.")
    request_id = serializers.CharField(help_text="The id of this call.")


RESOURCE = Resource(Beneficiary, BeneficiaryItem, provided=False)


def create(call: Call) -> ApiAnswer:
    """Create a beneficiary."""
    body = call.body
    restricted_places.require_unrestricted_account(body["account"], body["country"])
    one = Beneficiary(business=business_of(call), environment=call.environment, **body)
    return RESOURCE.answer(customers.create_beneficiary(one, by=key_of(call)))


def delete(call: Call) -> ApiAnswer:
    """Delete a beneficiary; transfers under way go on."""
    one = RESOURCE.find(call, call.names["id"])
    customers.remove_beneficiary(one, by=key_of(call))
    return ApiAnswer({"id": one.public_id, "object": "beneficiary", "deleted": True})


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/beneficiaries",
        "remittance",
        "beneficiaries:read",
        ("beneficiaries", "beneficiary"),
        examples.BENEFICIARY,
    ),
    Operation(
        "beneficiaries.create",
        "POST",
        "/beneficiaries",
        product="remittance",
        scope="beneficiaries:write",
        function=create,
        body=BeneficiaryBody,
        answer=answer_of(BeneficiaryItem),
        example=examples.NEW_BENEFICIARY,
        status=201,
    ),
    Operation(
        "beneficiaries.delete",
        "DELETE",
        "/beneficiaries/{id}",
        product="remittance",
        scope="beneficiaries:write",
        function=delete,
        answer=DeletedShape,
        example=examples.DELETED_BENEFICIARY,
    ),
]
