"""GET, POST /cardholders: the people who hold cards of a business."""

from rest_framework import serializers

from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import cards, restricted_places
from api.sandbox.models import Cardholder
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of, sent_metadata
from api.v1.examples import cards as examples
from api.v1.resource import Resource
from api.v1.rows import reading_rows
from api.v1.shared_fields import AddressSerializer, CountryField, DayField, MetadataField


class CardholderBody(StrictSerializer):
    """POST /cardholders: who holds the cards."""

    first_name = StrictText(max_length=70, help_text="The first name.")
    last_name = StrictText(max_length=70, help_text="The last name.")
    date_of_birth = DayField(help_text="The day of birth.")
    country = CountryField(help_text="The country of residence.")
    address = AddressSerializer(help_text="The postal address.")
    metadata = MetadataField(required=False)


class CardholderItem(Described):
    """A person who holds cards."""

    id = serializers.CharField(help_text="The id of the cardholder.")
    object = serializers.ChoiceField(choices=["cardholder"], help_text="What this is.")
    first_name = serializers.CharField(help_text="The first name.")
    last_name = serializers.CharField(help_text="The last name.")
    date_of_birth = serializers.DateField(help_text="The day of birth.")
    country = serializers.CharField(help_text="The country of residence.")
    address = AddressSerializer(help_text="The postal address.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you created it.")


RESOURCE = Resource(Cardholder, CardholderItem, provided=False)


def create(call: Call) -> ApiAnswer:
    """Create a cardholder."""
    restricted_places.require_unrestricted_residence(call.body["country"], call.body["address"])
    holder = Cardholder(business=business_of(call), environment=call.environment, **call.body)
    return RESOURCE.answer(cards.create_cardholder(holder, by=key_of(call)))


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/cardholders",
        "cards",
        "cardholders:read",
        ("cardholders", "cardholder"),
        examples.CARDHOLDER,
    ),
    Operation(
        "cardholders.create",
        "POST",
        "/cardholders",
        product="cards",
        scope="cardholders:write",
        function=create,
        body=CardholderBody,
        answer=answer_of(CardholderItem),
        example=examples.NEW_CARDHOLDER,
        status=201,
    ),
]
