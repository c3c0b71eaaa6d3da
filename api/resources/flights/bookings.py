"""Book seats of an offer, and settle what waits."""

from django.db import transaction

from api.sandbox.disbursing import Disbursing
from api.sandbox.models import FlightBooking
from api.sandbox.sandbox_provider import provider_for
from console.accounts.actors import Actor

BOOKINGS = Disbursing(FlightBooking, "flight_booking")


@transaction.atomic(savepoint=False)
def create(booking: FlightBooking, *, tries: int, by: Actor) -> FlightBooking:
    """Book a seat for each passenger, or raise StockConflict where one is gone."""
    names = [one["last_name"] for one in booking.passengers]
    provider_for(booking.environment).hold_seats(names)
    return BOOKINGS.create(booking, tries=tries, by=by)
