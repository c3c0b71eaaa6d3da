"""GET /flights/offers, POST /flights/bookings, GET /flights/bookings/{id}: book flights."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import pagination
from api.fields import StrictSerializer, StrictText
from api.payments import flights
from api.payments.disbursements import FLIGHT_BOOKINGS
from api.payments.lifecycle import DISBURSEMENT_STATUSES
from api.payments.models import FlightBooking
from api.problems import unknown_id
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
    StatusField,
)
from api.v1 import disbursed
from api.v1.examples import flights as examples
from api.v1.shared_fields import DayField, MetadataField
from api.validation import QuerySerializer
from api.viewsets import ResourceViewSet, RetrieveMixin, operation
from console.core import clock

_MOST_PASSENGERS = 9
_STATUSES = {"pending": "pending", "completed": "confirmed", "failed": "failed"}
_STATUS_ROWS = {_STATUSES[status]: row for status, row in DISBURSEMENT_STATUSES.items()}


class AirportField(StrictText):
    """An airport by its three-letter IATA code."""

    def __init__(self, **more: Any) -> None:
        says = "Send the three letters of an airport, like LOS."
        super().__init__(pattern="[A-Z]{3}", says=says, max_length=3, **more)


class FlightQuerySerializer(QuerySerializer):
    """GET /flights/offers: origin, destination and date."""

    origin = AirportField(required=False, help_text="Only flights from this airport.")
    destination = AirportField(required=False, help_text="Only flights to this airport.")
    date = DayField(
        ahead=range(1, flights.DAYS_AHEAD + 1),
        required=False,
        help_text=f"The departure date, in UTC, within the next {flights.DAYS_AHEAD} days. Tomorrow"
        " by default.",
    )


class FlightSerializer(ResourceSerializer):
    """A flight on one day."""

    number = serializers.CharField(help_text="The flight number.")
    carrier = serializers.CharField(help_text="The passengers.")
    origin = serializers.CharField(help_text="The departure airport’s three-letter code.")
    destination = serializers.CharField(help_text="The arrival airport’s three-letter code.")
    departs_at = serializers.DateTimeField(help_text="When it departs.")
    arrives_at = serializers.DateTimeField(help_text="When it arrives.")


class FlightOfferSerializer(ResourceSerializer):
    """A seat on one flight at a temporary price."""

    id = serializers.CharField(help_text="The id of the offer.")
    object = ObjectField("flight_offer")
    flight = FlightSerializer(source="flight_details", help_text="The flight.")
    amount = SentAmountField(
        source="price", help_text="The price for one passenger, as a decimal string."
    )
    currency = SentCurrencyField(
        source="price.currency", help_text="The currency of the balance that pays for it."
    )
    expires_at = serializers.DateTimeField(help_text="When the price expires.")


class PassengerCreateSerializer(StrictSerializer):
    """One passenger, as in the passport."""

    first_name = StrictText(max_length=70, help_text="The first name.")
    last_name = StrictText(
        max_length=70,
        default="",
        allow_blank=True,
        help_text="The last name. Leave it out if the person has only one name.",
    )
    date_of_birth = DayField(birth=True, required=False, help_text="The date of birth.")


class FlightBookingCreateSerializer(StrictSerializer):
    """POST /flights/bookings: the offer and the passengers."""

    offer_id = StrictText(max_length=80, help_text="The id of the offer.")
    passengers = PassengerCreateSerializer(  # type: ignore[call-arg]  # of the list that `many` makes
        many=True,
        allow_empty=False,
        max_length=_MOST_PASSENGERS,
        help_text=f"The passengers, 1 to {_MOST_PASSENGERS}. We book either all of them or none.",
    )
    metadata = MetadataField(required=False)


class PassengerSerializer(ResourceSerializer):
    """A passenger, as you sent it."""

    first_name = serializers.CharField(help_text="The first name.")
    last_name = serializers.CharField(help_text="The last name.")
    date_of_birth = serializers.CharField(
        required=False, help_text="The date of birth, if you sent it."
    )


class BookingStatusField(StatusField):
    """The status of a booking: `confirmed` instead of `completed`."""

    def to_representation(self, value: str) -> str:
        return _STATUSES[value]


class FlightBookingSerializer(ResourceSerializer):
    """A flight booking. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the booking.")
    object = ObjectField("flight_booking")
    status = BookingStatusField(
        _STATUS_ROWS, help_text="Whether the seats are booked and paid for."
    )
    offer_id = serializers.CharField(help_text="The id of the offer.")
    flight = FlightSerializer(help_text="The flight.")
    passengers = PassengerSerializer(many=True, help_text="The passengers.")
    amount = disbursed.amount(help_text="The price for all passengers, as a decimal string.")
    currency = disbursed.currency()
    fee = disbursed.fee()
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at(help_text="When it was confirmed, or null.")


class FlightOfferViewSet(ResourceViewSet):
    """Flight offers at temporary prices."""

    product = "flights"
    resource = "flights_offers"
    serializer_class = FlightOfferSerializer
    example = examples.FLIGHT_OFFER

    @operation(many=True, query=FlightQuerySerializer, of_provider=True)
    def list(self, request: Request) -> Response:
        """List flight offers for one day."""
        asked = self.parameters
        day = asked.get("date") or clock.now().date() + timedelta(days=1)
        found = flights.available(day, asked.get("origin", ""), asked.get("destination", ""))
        return pagination.whole(self.get_serializer(found, many=True).data)


class FlightBookingViewSet(RetrieveMixin):
    """Flight bookings."""

    product = "flights"
    resource = "flights_bookings"
    queryset = FlightBooking.objects.all()
    serializer_class = FlightBookingSerializer
    settle_due = FLIGHT_BOOKINGS.settle_due
    words = "flight bookings", "flight booking"
    example = examples.FLIGHT_BOOKING

    @disbursed.operation(
        body=FlightBookingCreateSerializer,
        codes=["INSUFFICIENT_BALANCE", "QUOTE_EXPIRED", "STOCK_CONFLICT"],
        example=examples.NEW_FLIGHT_BOOKING,
    )
    def create(self, request: Request) -> Response:
        """Book and pay for seats from an offer."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        offer = flights.find(body["offer_id"])
        if offer is None:
            raise unknown_id("offer_id")
        passengers = PassengerSerializer(body["passengers"], many=True).data
        booking = self.new(
            FlightBooking,
            body,
            amount=offer.price.minor * len(passengers),
            currency=offer.price.currency,
            flight=offer.flight_details,
            passengers=passengers,
        )
        return self.answer(FLIGHT_BOOKINGS.create(booking, tries=self.claim.tries, by=self.actor))
