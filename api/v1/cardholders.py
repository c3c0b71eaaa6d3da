"""GET, POST /cardholders: the people who hold a business's cards."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText
from api.payments import cards, restricted_places
from api.payments.models import Cardholder
from api.serializers import IdField, ObjectField, ResourceSerializer, SentMetadataField
from api.v1 import filters
from api.v1.examples import cards as examples
from api.v1.shared_fields import AddressSerializer, CountryField, DayField, MetadataField
from api.viewsets import ListMixin, RetrieveMixin, operation


class CardholderCreateSerializer(StrictSerializer):
    """POST /cardholders: the holder of the cards."""

    first_name = StrictText(max_length=70, help_text="The first name.")
    last_name = StrictText(
        max_length=70,
        default="",
        allow_blank=True,
        help_text="The last name. Leave it out if the person has only one name.",
    )
    date_of_birth = DayField(birth=True, help_text="The date of birth.")
    country = CountryField(help_text="The country of residence.")
    address = AddressSerializer(help_text="The postal address.")
    metadata = MetadataField(required=False)


class CardholderSerializer(ResourceSerializer):
    """A cardholder."""

    id = IdField(help_text="The id of the cardholder.")
    object = ObjectField("cardholder")
    first_name = serializers.CharField(help_text="The first name.")
    last_name = serializers.CharField(help_text="The last name.")
    date_of_birth = serializers.DateField(help_text="The date of birth.")
    country = serializers.CharField(help_text="The country of residence.")
    address = AddressSerializer(help_text="The postal address.")
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class CardholderViewSet(ListMixin, RetrieveMixin):
    """The people who hold a business's cards."""

    product = "cards"
    resource = scope = "cardholders"
    queryset = Cardholder.objects.all()
    serializer_class = CardholderSerializer
    query_class = filters.of(Cardholder, CardholderSerializer)
    words = "cardholders", "cardholder"
    example = examples.CARDHOLDER
    needs_provider = False

    @operation(body=CardholderCreateSerializer, status=201, example=examples.NEW_CARDHOLDER)
    def create(self, request: Request) -> Response:
        """Create a cardholder."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        restricted_places.require_unrestricted_residence(body["country"], body["address"])
        holder = self.new(Cardholder, body)
        return self.answer(cards.create_holder(holder, by=self.actor))
