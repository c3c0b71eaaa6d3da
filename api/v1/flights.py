"""GET /flights/offers, POST /flights/bookings, GET /flights/bookings/{id}: seats on flights."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers

from api.gateway import pages
from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.problems import ApiProblem
from api.sandbox import flights
from api.sandbox.disbursements import FLIGHT_BOOKINGS
from api.sandbox.flights import FlightOffer
from api.sandbox.lifecycle import DISBURSEMENT_STATUSES
from api.sandbox.models import FlightBooking
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import (
    Described,
    DescribedAmount,
    DescribedStatus,
    answer_of,
    page_of,
    sent_metadata,
)
from api.v1.examples import flights as examples
from api.v1.resource import Columns, require_provider
from api.v1.rows import reading_row
from api.v1.shared_fields import DayField, MetadataField
from console.core import clock
from console.core.money import CURRENCIES

_PRODUCT = "flights"
_MOST_PASSENGERS = 9
_STATUSES = {"pending": "pending", "completed": "confirmed", "failed": "failed"}
_STATUS_ROWS = {_STATUSES[status]: row for status, row in DISBURSEMENT_STATUSES.items()}


class AirportField(StrictText):
    """An airport by its three letters."""

    def __init__(self, **more: Any) -> None:
        says = "Send the three letters of an airport, like LOS."
        super().__init__(pattern="[A-Z]{3}", says=says, max_length=3, **more)


class FlightQuery(StrictSerializer):
    """GET /flights/offers: from where, to where, on which day."""

    unknown = "unknown_parameter"

    origin = AirportField(required=False, help_text="Only flights from this airport.")
    destination = AirportField(required=False, help_text="Only flights to this airport.")
    date = DayField(
        required=False,
        help_text=f"The day of departure, in UTC: one of the next {flights.DAYS_AHEAD}. Tomorrow"
        " where it is left out.",
    )


class FlightShape(Described):
    """A flight of one day."""

    number = serializers.CharField(help_text="The number of the flight.")
    carrier = serializers.CharField(help_text="Who flies.")
    origin = serializers.CharField(help_text="The airport that it leaves, by its three letters.")
    destination = serializers.CharField(
        help_text="The airport that it reaches, by its three letters."
    )
    departs_at = serializers.DateTimeField(help_text="When it departs.")
    arrives_at = serializers.DateTimeField(help_text="When it arrives.")


class FlightOfferItem(Described):
    """A seat on one flight, at a price that holds for a while."""

    id = serializers.CharField(help_text="The id of the offer.")
    object = serializers.ChoiceField(choices=["flight_offer"], help_text="What this is.")
    flight = FlightShape(help_text="The flight.")
    amount = DescribedAmount(
        "currency", help_text="The price for one passenger, as a decimal text."
    )
    currency = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency of the balance that pays."
    )
    expires_at = serializers.DateTimeField(help_text="Until when the price holds.")


class PassengerBody(StrictSerializer):
    """One passenger, as the passport has it."""

    first_name = StrictText(max_length=70, help_text="The first name.")
    last_name = StrictText(max_length=70, help_text="The last name.")
    date_of_birth = DayField(required=False, help_text="The day of birth.")


class FlightBookingBody(StrictSerializer):
    """POST /flights/bookings: which offer, for whom."""

    offer_id = StrictText(max_length=80, help_text="The id of the offer.")
    passengers = PassengerBody(  # type: ignore[call-arg]  # of the list that `many` makes
        many=True,
        allow_empty=False,
        max_length=_MOST_PASSENGERS,
        help_text=f"Who flies: 1 to {_MOST_PASSENGERS}. All are booked, or none.",
    )
    metadata = MetadataField(required=False)


class PassengerShape(Described):
    """A passenger, as it was sent."""

    first_name = serializers.CharField(help_text="The first name.")
    last_name = serializers.CharField(help_text="The last name.")
    date_of_birth = serializers.CharField(
        required=False, help_text="The day of birth, where it was sent."
    )


class FlightBookingItem(Described):
    """A booking of a flight. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the booking.")
    object = serializers.ChoiceField(choices=["flight_booking"], help_text="What this is.")
    status = DescribedStatus(_STATUS_ROWS, help_text="Whether the seats are booked and paid for.")
    offer_id = serializers.CharField(help_text="The id of the offer.")
    flight = FlightShape(help_text="The flight.")
    passengers = PassengerShape(many=True, help_text="Who flies.")
    amount = disbursed.amount("The price for all passengers, as a decimal text.")
    currency = disbursed.currency()
    fee = disbursed.fee()
    failure = disbursed.failure()
    metadata = sent_metadata()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at("When it was confirmed; null before.")


def _status(columns: Columns) -> str:
    return _STATUSES[columns["status"]]


RESOURCE = disbursed.resource(
    FlightBooking,
    FlightBookingItem,
    FLIGHT_BOOKINGS,
    computed={"status": _status},
    also=("status",),
)


def list_offers(call: Call) -> ApiAnswer:
    """List offers of flights of one day."""
    require_provider(call)
    asked = call.parameters
    day = asked.get("date") or clock.now().date() + timedelta(days=1)
    found = flights.available(day, asked.get("origin", ""), asked.get("destination", ""))
    return pages.whole(
        [
            {
                "id": one.id,
                "object": "flight_offer",
                "flight": _flight(one),
                "amount": one.price.decimal(),
                "currency": one.price.currency,
                "expires_at": clock.iso(one.expires_at),
            }
            for one in found
        ]
    )


def create(call: Call) -> ApiAnswer:
    """Book seats of an offer, and pay for them."""
    require_provider(call)
    body = call.body
    offer = flights.find(body["offer_id"])
    if offer is None:
        raise ApiProblem("NOT_FOUND")
    booking = FlightBooking(
        business=business_of(call),
        environment=call.environment,
        amount=offer.price.minor * len(body["passengers"]),
        currency=offer.price.currency,
        offer_id=offer.id,
        flight=_flight(offer),
        passengers=[_passenger(one) for one in body["passengers"]],
        **{name: body[name] for name in ("metadata",) if name in body},
    )
    return RESOURCE.answer(FLIGHT_BOOKINGS.create(booking, tries=call.tries, by=key_of(call)))


def _flight(offer: FlightOffer) -> dict[str, str]:
    flight = offer.flight
    return {
        "number": flight.number,
        "carrier": flight.carrier,
        "origin": flight.origin,
        "destination": flight.destination,
        "departs_at": clock.iso(offer.departs_at),
        "arrives_at": clock.iso(offer.arrives_at),
    }


def _passenger(sent: dict[str, Any]) -> dict[str, str]:
    born = sent.get("date_of_birth")
    return sent | ({"date_of_birth": born.isoformat()} if born else {})


OPERATIONS = [
    Operation(
        "flights_offers.list",
        "GET",
        "/flights/offers",
        product=_PRODUCT,
        scope="flights:read",
        function=list_offers,
        query=FlightQuery,
        answer=page_of(FlightOfferItem),
        example=examples.FLIGHT_OFFERS,
        codes=("NO_PROVIDER_ENABLED",),
    ),
    reading_row(
        RESOURCE,
        "/flights/bookings",
        _PRODUCT,
        "flights:read",
        "booking of a flight",
        examples.FLIGHT_BOOKING,
    ),
    Operation(
        "flights_bookings.create",
        "POST",
        "/flights/bookings",
        product=_PRODUCT,
        scope="flights:write",
        function=create,
        body=FlightBookingBody,
        answer=answer_of(FlightBookingItem),
        example=examples.NEW_FLIGHT_BOOKING,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED", "QUOTE_EXPIRED", "STOCK_CONFLICT"),
        kind="financial",
        financial=True,
    ),
]
